// Boards: sorting, searching, filtering, choosing columns, ticking runs to compare them. All of it
// stands in the address after the #, so that a link brings it back. Without script a board stands as ranked, whole.
(function () {
  "use strict";

  var MOST = 4; // runs that are compared at once
  var FIRST = 50; // rows that stand in the page before all are asked for
  var list = tables.list;
  var flags = tables.flags;

  function many(number) { return number.toLocaleString("en"); }

  // --- the address: #sort=hmr:descending&q=…&team=…&flag=…&one=1&spans=1&cols=hmr,brier&pick=a,b

  function decoded(text) {
    try { return decodeURIComponent(text); } catch (_) { return text; }
  }

  function fromHash() {
    var found = { sort: null, q: "", team: "", flag: "", one: false, spans: false, cols: null, pick: [] };
    location.hash.slice(1).split("&").forEach(function (part) {
      var at = part.indexOf("=");
      var name = part.slice(0, at);
      var value = part.slice(at + 1);
      if (name === "sort") {
        var colon = value.lastIndexOf(":");
        found.sort = { col: decoded(value.slice(0, colon)), direction: value.slice(colon + 1) };
      } else if (name === "cols") {
        found.cols = value.split(",").map(decoded);
      } else if (name === "pick") {
        found.pick = value.split(",").map(decoded);
      } else if (name === "one" || name === "spans") {
        found[name] = value === "1";
      } else if (at > 0 && typeof found[name] === "string") {
        found[name] = decoded(value);
      }
    });
    return found;
  }

  function toHash(state) {
    var parts = [];
    if (state.sort) { parts.push("sort=" + encodeURIComponent(state.sort.col) + ":" + state.sort.direction); }
    ["q", "team", "flag"].forEach(function (name) {
      if (state[name]) { parts.push(name + "=" + encodeURIComponent(state[name])); }
    });
    ["one", "spans"].forEach(function (name) {
      if (state[name]) { parts.push(name + "=1"); }
    });
    if (state.cols) { parts.push("cols=" + state.cols.map(encodeURIComponent).join(",")); }
    if (state.pick.length) { parts.push("pick=" + state.pick.map(encodeURIComponent).join(",")); }
    return parts.length ? "#" + parts.join("&") : "";
  }

  // --- the board

  function hideIn(table, col, hide) {
    var i = list(table.tHead.rows[0].cells).findIndex(function (head) {
      return head.getAttribute("data-col") === col;
    });
    if (i >= 0) { list(table.rows).forEach(function (row) { row.cells[i].hidden = hide; }); }
  }

  function option(select, value, text) {
    var made = document.createElement("option");
    made.value = value;
    made.textContent = text;
    select.appendChild(made);
  }

  function Board(form, table, around) {
    this.form = form;
    this.named = {};
    ["q", "team", "flag", "one"].forEach(function (name) {
      this.named[name] = form.querySelector("[name=" + name + "]");
    }, this);
    this.named.spans = around.querySelector(".spans"); // which works without script, too
    this.table = table;
    this.region = table.element.parentNode;
    this.filters = form.querySelector(".filters");
    this.more = around.querySelector(".more");
    this.nothing = around.querySelector(".nothing");
    this.picking = form.querySelector(".picking");
    this.tab = document.querySelector(".tasknav a[href$='compare.html']");
    this.beside = list(around.querySelectorAll(".references"));
    this.links = list(around.querySelectorAll(".switcher a"));
    this.all = false;
    this.choices = table.heads.filter(function (head) {
      return ["rank", "team"].indexOf(head.getAttribute("data-col")) < 0;
    });
    this.usual = this.choices.filter(function (head) { return !head.classList.contains("extra"); })
      .map(function (head) { return head.getAttribute("data-col"); });
    this.hiding = table.heads.map(function () { return false; });
    this.fill();
    this.listen();
    this.unfold(around.querySelector(".fold"));
  }

  Board.prototype.fill = function () {
    var teams = {};
    var known = {};
    this.table.rows.forEach(function (row) {
      teams[row.getAttribute("data-team")] = row.querySelector("th").getAttribute("data-key");
      flags(row).forEach(function (flag) { known[flag] = true; });
    });
    Object.keys(teams)
      .sort(function (a, b) { return tables.compare(teams[a], teams[b]); })
      .forEach(function (team) { option(this.named.team, team, teams[team]); }, this);
    Object.keys(known).sort().forEach(function (flag) { option(this.named.flag, flag, flag); }, this);
    this.named.flag.hidden = !Object.keys(known).length;
    var columns = this.form.querySelector(".columns");
    this.choices.forEach(function (head) {
      var label = document.createElement("label");
      var box = document.createElement("input");
      box.type = "checkbox";
      box.name = "col";
      box.value = head.getAttribute("data-col");
      label.appendChild(box);
      label.appendChild(document.createTextNode(" " + head.querySelector(".title").textContent));
      columns.appendChild(label);
    });
  };

  // The column chooser stands in the place of what unfolds columns; the controls are open where
  // there is room for them.
  Board.prototype.unfold = function (fold) {
    var filters = this.filters;
    var wide = window.matchMedia("(min-width: 45.01rem)");
    function open() { filters.open = filters.open || wide.matches; }
    if (fold) {
      fold.checked = true;
      fold.hidden = true;
      fold.nextElementSibling.hidden = true;
    }
    wide.addEventListener("change", open);
    open();
    this.form.hidden = false;
  };

  Board.prototype.listen = function () {
    var board = this;
    var form = this.form;
    var chooser = form.querySelector(".chooser");
    [form, this.named.spans].forEach(function (control) {
      control.addEventListener("input", function () { board.update(board.asked()); });
    });
    function reset() {
      board.all = false;
      board.update({ sort: null, q: "", team: "", flag: "", one: false, spans: false, cols: null, pick: [] });
    }
    form.querySelector(".reset").addEventListener("click", reset);
    this.nothing.querySelector("button").addEventListener("click", function () {
      reset();
      board.named.q.focus(); // this button is gone
    });
    this.table.element.addEventListener("change", function (event) { board.tick(event.target); });
    if (this.picking) {
      this.picking.querySelector("button").addEventListener("click", function () { board.untick(); });
      this.table.element.addEventListener("keydown", function (event) { board.follow(event); });
    }
    form.addEventListener("keydown", function (event) {
      if (event.key === "Escape" && chooser.open) {
        chooser.open = false;
        chooser.firstElementChild.focus();
      }
    });
    document.addEventListener("click", function (event) {
      if (!chooser.contains(event.target)) { chooser.open = false; }
    });
    this.table.buttons(function (sort) {
      var state = board.asked();
      state.sort = sort;
      board.update(state);
    });
    this.more.firstElementChild.addEventListener("click", function () { board.whole(); });
    window.addEventListener("beforeprint", function () { board.whole(); });
    var sizes = new ResizeObserver(function () { board.fit(); });
    sizes.observe(this.region);
    sizes.observe(this.table.element);
    window.addEventListener("hashchange", function () { board.restore(); });
  };

  // What the controls say.
  Board.prototype.asked = function () {
    var form = this.form;
    var chosen = list(form.querySelectorAll("[name=col]"))
      .filter(function (box) { return box.checked; })
      .map(function (box) { return box.value; });
    return {
      sort: this.state.sort,
      q: this.named.q.value.trim(),
      team: this.named.team.value,
      flag: this.named.flag.value,
      one: this.named.one.checked,
      spans: this.named.spans.checked,
      cols: chosen.join() === this.usual.join() ? null : chosen,
      pick: this.state.pick
    };
  };

  // --- runs that are ticked, to be compared

  Board.prototype.tick = function (box) {
    var state = this.asked();
    state.pick = state.pick.filter(function (slug) { return slug !== box.value; });
    if (box.checked) { state.pick.push(box.value); }
    this.update(state);
  };

  // From a ticked box Enter goes to the comparison, which is many rows away from it.
  Board.prototype.follow = function (event) {
    var link = this.picking.querySelector("a");
    if (event.key === "Enter" && event.target.checked && !link.hidden) { link.click(); }
  };

  Board.prototype.untick = function () {
    var state = this.asked();
    var last = this.table.element.querySelector(".pick :checked");
    state.pick = [];
    this.update(state);
    if (last) { last.focus({ preventScroll: true }); }
  };

  // The box of a row: made when it is first shown, for there may be many rows.
  function boxed(row) {
    var box = row.querySelector(".pick input");
    if (!box && row.hasAttribute("data-scored")) {
      var label = document.createElement("label");
      box = document.createElement("input");
      box.type = "checkbox";
      box.value = row.id.slice("run-".length);
      box.setAttribute("aria-label", "Compare " + list(row.querySelectorAll("th bdi"))
        .map(function (name) { return name.textContent; }).join(" · "));
      box.setAttribute("aria-describedby", "keys");
      label.className = "pick";
      label.appendChild(box);
      row.cells[0].insertBefore(label, row.cells[0].firstChild);
    }
    return box;
  }

  Board.prototype.picked = function (pick) {
    var link = this.picking.querySelector("a");
    var clear = this.picking.querySelector("button");
    var full = pick.length === MOST;
    this.table.shown.forEach(function (row) {
      var box = boxed(row);
      if (box) {
        box.checked = pick.indexOf(box.value) >= 0;
        box.disabled = full && !box.checked;
        row.classList.toggle("ticked", box.checked);
      }
    });
    // On a long board the way to the comparison stays in sight.
    this.picking.classList.toggle("some", pick.length > 0);
    clear.hidden = !pick.length;
    link.hidden = pick.length < 2;
    link.textContent = "Compare " + pick.length + " runs";
    link.hash = pick.length ? "runs=" + pick.map(encodeURIComponent).join(",") : "";
    if (this.tab) { this.tab.hash = link.hash; }
    this.picking.querySelector("a + span").textContent = full ? "the most at once"
      : pick.length === 1 ? "1 run is ticked: tick another to compare them"
        : pick.length ? "" : "Tick 2 to " + MOST + " runs to compare them";
  };

  Board.prototype.say = function (state) {
    var form = this.form;
    var cols = state.cols || this.usual;
    if (this.named.q.value.trim() !== state.q) { this.named.q.value = state.q; }
    this.named.team.value = state.team;
    this.named.flag.value = state.flag;
    this.named.one.checked = state.one;
    this.named.spans.checked = state.spans;
    list(form.querySelectorAll("[name=col]")).forEach(function (box) {
      box.checked = cols.indexOf(box.value) >= 0;
    });
  };

  Board.prototype.columns = function (cols) {
    var hiding = this.hiding;
    this.choices.forEach(function (head) {
      var i = head.cellIndex;
      var hide = cols.indexOf(head.getAttribute("data-col")) < 0;
      if (hiding[i] !== hide) {
        hiding[i] = head.hidden = hide;
        this.table.rows.forEach(function (row) { row.cells[i].hidden = hide; });
        this.beside.forEach(function (table) { hideIn(table, head.getAttribute("data-col"), hide); });
      }
    }, this);
  };

  // How many rows are shown, of those found, of all.
  function tally(shown, found, total) {
    var of = many(total) + (total === 1 ? " row" : " rows");
    if (shown === found) { return many(found) + " of " + of; }
    return "first " + many(shown) + " of " + (found < total ? many(found) + " that match, of " : "") + of;
  }

  Board.prototype.show = function (state) {
    var found = this.table.found(state);
    var total = this.table.rows.length;
    this.state = state;
    this.say(state);
    this.filters.open = this.filters.open || found.length < total;
    this.columns(state.cols || this.usual);
    this.table.arrange(found, state.sort, this.all ? Infinity : FIRST);
    if (this.picking) { this.picked(state.pick); }
    this.table.element.classList.toggle("moved", Boolean(state.sort) || found.length < total);
    this.form.querySelector(".tally").textContent = tally(this.table.shown.length, found.length, total);
    this.nothing.hidden = found.length > 0 || !total;
    this.region.hidden = !this.nothing.hidden;
    this.more.hidden = this.table.shown.length === found.length;
    this.more.firstElementChild.textContent = "Show all " + many(found.length) + " rows";
    this.links.forEach(function (link) { link.hash = toHash(state); });
    this.fit();
  };

  Board.prototype.update = function (state) {
    this.show(state);
    history.replaceState(null, "", location.href.split("#")[0] + toHash(state));
  };

  Board.prototype.whole = function () {
    if (!this.more.hidden) {
      this.all = true;
      this.show(this.state);
    }
  };

  // A table that fits needs no box to scroll in: then its head stays at the top of the window.
  Board.prototype.fit = function () {
    this.region.classList.toggle("free", this.table.element.offsetWidth <= this.region.clientWidth);
  };

  // What the address says: a state, or a run to be shown, which then no filter hides.
  Board.prototype.restore = function () {
    var id = decoded(location.hash.slice(1));
    var row = this.table.rows.find(function (each) { return each.id === id; });
    var state = fromHash();
    if (this.table.column(state.sort && state.sort.col) < 0) { state.sort = null; }
    ["team", "flag"].forEach(function (name) { // what this board does not know
      this.named[name].value = state[name];
      if (this.named[name].selectedIndex < 0) { state[name] = ""; }
    }, this);
    state.pick = this.table.rows
      .filter(function (each) { return each.hasAttribute("data-scored"); })
      .map(function (each) { return each.id.slice("run-".length); })
      .filter(function (slug) { return state.pick.indexOf(slug) >= 0; })
      .slice(0, MOST);
    this.table.rows.forEach(function (each) { each.classList.toggle("sought", each === row); });
    this.show(state);
    if (row) {
      if (this.table.shown.indexOf(row) < 0) { this.whole(); }
      row.scrollIntoView({ block: "center" });
    }
  };

  list(document.querySelectorAll(".standing .controls")).forEach(function (form) {
    var around = form.closest(".standing");
    new Board(form, new tables.Table(around.querySelector("table.sortable")), around).restore();
  });
})();
