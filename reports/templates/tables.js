/* Sorts a table by a column at a click on its head, and leaves out rows that lack what somebody types. Without this,
   everything is there. */
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], rows = [...body.rows];
  if (rows.length < 2) continue;
  const value = (row, at) => {
    const text = row.cells[at].textContent.trim(), number = Number.parseFloat(text.replace("−", "-").replaceAll(",", ""));
    return row.cells[at].classList.contains("n") && Number.isFinite(number) ? number : text;
  };
  [...table.tHead.rows[0].cells].forEach((head, at, heads) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const order = (a, b) => {
        const [one, other] = [value(a, at), value(b, at)];
        if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1; /* what is not known comes last */
        const found = typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });
        return up ? found : -found;
      };
      body.append(...[...body.rows].sort(order));
    });
  });
  if (rows.length < 12) continue;
  const label = document.createElement("label"), field = document.createElement("input");
  label.className = "filter";
  field.type = "search";
  label.append("Show rows with ", field);
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.parentElement.before(label);
}
