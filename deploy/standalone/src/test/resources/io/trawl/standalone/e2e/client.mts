// A client of the REST interface whose types openapi-typescript has made from its description.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };
const [base, seed] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: base });
const patch = { "Content-Type": "application/merge-patch+json" };
const crawl = { path: { id: "typed" } };

await api.PUT("/api/v1/crawls/{id}", { params: crawl, body: { seeds: [{ url: seed }], limits: { depth: 1, maxPages: 1 }, fetch: { delay: "0ms" } } });
const change: components["schemas"]["CrawlChange"] = { limits: { maxPages: null }, fetch: { userAgent: "Typed/1.0" } };
await api.PATCH("/api/v1/crawls/{id}", { params: crawl, headers: patch, body: change });
// @ts-expect-error a number or null
await api.PATCH("/api/v1/crawls/{id}", { params: crawl, headers: patch, body: { limits: { maxPages: "many" } } });
const settings = await api.PATCH("/api/v1/settings", { headers: patch, body: { responseBacklog: 54321 } });
// @ts-expect-error a number
await api.PATCH("/api/v1/settings", { headers: patch, body: { responseBacklog: "many" } });
await api.POST("/api/v1/crawls/{id}/start", { params: crawl });

let word: components["schemas"]["Condition"] | undefined;
while (word !== "finished") {
  await new Promise((done) => setTimeout(done, 100));
  const { data } = await api.GET("/api/v1/crawls/{id}", { params: crawl });
  word = typeof data === "object" ? data.condition : undefined;
}
const { data } = await api.GET("/api/v1/crawls/{id}/items", { params: crawl });
console.log(JSON.stringify({ word, backlog: settings.data?.responseBacklog, items: data?.items.length }));
