// Sorting of boards, by click and by keyboard. Without this script a board stands as ranked.
// Rows sort by the rounded values that are shown (data-key); equal ones keep the order in which
// the page came; undefined ones stand last both ways; unranked rows stay below the ranked ones.
(function () {
  "use strict";

  var collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function key(row, column) {
    return row.cells[column].getAttribute("data-key") || "";
  }

  function compare(kind) {
    return kind === "number"
      ? function (a, b) { return Number(a) - Number(b); }
      : collator.compare;
  }

  function arrange(rows, column, kind, direction) {
    var order = compare(kind);
    var sign = direction === "descending" ? -1 : 1;
    return rows.slice().sort(function (x, y) {
      var a = key(x, column);
      var b = key(y, column);
      if (a === "" || b === "") { return (a === "") - (b === ""); }
      return sign * order(a, b);
    });
  }

  function sort(table, bodies, header) {
    var first = header.getAttribute("data-first") || "ascending";
    var other = first === "ascending" ? "descending" : "ascending";
    var direction = header.getAttribute("aria-sort") === first ? other : first;
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell) {
      cell.removeAttribute("aria-sort");
    });
    header.setAttribute("aria-sort", direction);
    bodies.forEach(function (body) {
      arrange(body.rows, header.cellIndex, header.getAttribute("data-sort"), direction)
        .forEach(function (row) { body.element.appendChild(row); });
    });
  }

  function button(header, table, bodies) {
    var title = header.querySelector("a, abbr") || header;
    var made = document.createElement("button");
    made.type = "button";
    made.className = "sort";
    made.setAttribute("aria-label", "Sort by " + title.textContent.replace("#", "").trim());
    made.addEventListener("click", function () { sort(table, bodies, header); });
    (header.querySelector(".title") || header).appendChild(made);
    header.addEventListener("click", function (event) {
      if (!event.target.closest("a, button")) { sort(table, bodies, header); }
    });
  }

  Array.prototype.forEach.call(document.querySelectorAll("table.sortable"), function (table) {
    var bodies = Array.prototype.map.call(table.tBodies, function (element) {
      var rows = Array.prototype.filter.call(element.rows, function (row) {
        return row.querySelector("[data-key]");
      });
      return { element: element, rows: rows };
    });
    table.classList.add("sorting");
    table.tHead.rows[0].cells[0].setAttribute("aria-sort", "ascending");
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (header) {
      button(header, table, bodies);
    });
  });
})();
