// Tables that sort and search: what stands in them, and in which order. Without script a table
// stands as it was made, whole.
// Rows sort by the rounded values that are shown (data-key); equal ones keep the order in which
// the page came; undefined ones stand last both ways; unranked rows stay below the ranked ones.
var tables = (function () {
  "use strict";

  var collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function list(things) { return Array.prototype.slice.call(things); }

  function fold(text) {
    return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }

  function Table(element) {
    this.element = element;
    this.heads = list(element.tHead.rows[0].cells);
    this.bodies = list(element.tBodies).map(function (body) {
      var rows = list(body.rows);
      return {
        element: body,
        still: rows.filter(function (row) { return !row.querySelector("[data-key]"); }),
        rows: rows.filter(function (row) { return row.querySelector("[data-key]"); })
      };
    });
    this.rows = this.bodies.reduce(function (all, body) { return all.concat(body.rows); }, []);
    this.shown = this.rows;
    this.keys = {};
    this.texts = null;
    this.rows.forEach(function (row, i) { row.place = i; });
  }

  Table.prototype.column = function (name) {
    return this.heads.findIndex(function (head) { return head.getAttribute("data-col") === name; });
  };

  Table.prototype.sorting = function (i) {
    var numbers = this.heads[i].getAttribute("data-sort") === "number";
    if (!this.keys[i]) {
      this.keys[i] = this.rows.map(function (row) {
        var key = row.cells[i].getAttribute("data-key") || "";
        return key === "" ? null : numbers ? Number(key) : key;
      });
    }
    var keys = this.keys[i];
    var order = numbers ? function (a, b) { return a - b; } : collator.compare;
    return function (sign) {
      return function (x, y) {
        var a = keys[x.place];
        var b = keys[y.place];
        if (a === null || b === null) {
          return (a === null) - (b === null) || x.place - y.place;
        }
        return sign * order(a, b) || x.place - y.place;
      };
    };
  };

  // The rows that a search and filters leave, as ranked; of one per team the first, its best.
  Table.prototype.found = function (state) {
    var words = fold(state.q).split(/\s+/).filter(Boolean);
    var teams = {};
    if (words.length && !this.texts) {
      this.texts = this.rows.map(function (row) { return fold(row.querySelector("th").textContent); });
    }
    var texts = this.texts;
    return this.rows.filter(function (row) {
      var team = row.getAttribute("data-team");
      var kept = (!state.team || team === state.team)
        && (!state.flag || flags(row).indexOf(state.flag) >= 0)
        && words.every(function (word) { return texts[row.place].indexOf(word) >= 0; })
        && !(state.one && teams["t" + team]);
      if (kept) { teams["t" + team] = true; }
      return kept;
    });
  };

  Table.prototype.arrange = function (rows, sort, most) {
    var i = sort ? this.column(sort.col) : -1;
    var order = i < 0 ? null : this.sorting(i)(sort.direction === "descending" ? -1 : 1);
    var kept = new Set(rows);
    var left = most;
    this.shown = [];
    this.bodies.forEach(function (body) {
      var mine = body.rows.filter(function (row) { return kept.has(row); });
      if (order) { mine.sort(order); }
      mine = mine.slice(0, left);
      left -= mine.length;
      this.shown = this.shown.concat(mine);
      body.element.hidden = !mine.length && body.rows.length > 0;
      place(body.element, body.still.concat(mine));
    }, this);
    this.heads.forEach(function (head, at) {
      if (at === i || (i < 0 && head.getAttribute("data-col") === "rank")) {
        head.setAttribute("aria-sort", i < 0 ? "ascending" : sort.direction);
      } else {
        head.removeAttribute("aria-sort");
      }
    });
  };

  // Rows that stay are left alone: they keep their place in the window, and the focus.
  function place(body, rows) {
    var there = list(body.rows);
    var same = there.length === rows.length
      && rows.every(function (row, i) { return row === there[i]; });
    if (!same) { body.replaceChildren.apply(body, rows); }
  }

  // The next order of a column: its best first, then its worst first.
  Table.prototype.next = function (head) {
    var first = head.getAttribute("data-first") || "ascending";
    var other = first === "ascending" ? "descending" : "ascending";
    var col = head.getAttribute("data-col");
    var direction = head.getAttribute("aria-sort") === first ? other : first;
    return col === "rank" && direction === "ascending" ? null : { col: col, direction: direction };
  };

  Table.prototype.buttons = function (sort) {
    this.element.classList.add("sorting");
    this.heads.forEach(function (head) {
      var button = head.querySelector("button.sort");
      if (button) {
        button.disabled = false;
        button.addEventListener("click", function () { sort(this.next(head)); }.bind(this));
      }
    }, this);
  };

  function flags(row) {
    return list(row.querySelectorAll(".flag")).map(function (flag) { return flag.textContent; });
  }

  // A table without controls sorts, and no more.
  list(document.querySelectorAll("table.sortable")).forEach(function (element) {
    var around = element.closest(".standing");
    if (!around || !around.querySelector(".controls")) {
      var table = new Table(element);
      table.buttons(function (sort) { table.arrange(table.rows, sort, Infinity); });
    }
  });

  return { Table: Table, compare: collator.compare, flags: flags, list: list };
})();
