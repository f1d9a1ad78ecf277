// Runs before the page is drawn, so that it never flashes in the other theme.
try {
  const theme = localStorage.getItem("trawl.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is not available: the system's preference applies.
}
