/**
 * The definitions of crawls. Input: definitions and seeds as users wrote them. Each is decoded and checked against all
 * rules, so that a user sees all faults at once. Output: complete definitions, or the faults, each with field, value
 * and rule.
 */
@NullMarked
package io.trawl.coordinator.definition;

import org.jspecify.annotations.NullMarked;
