// Runs before the page is drawn, so that it never flashes in the other theme.
try {
  const theme = localStorage.getItem("trawl.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be closed: then the system's preference holds.
}
