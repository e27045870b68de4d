// Says of each phase whether it is open, closed or to come, and counts down to its next instant.
// That depends on when the page is read: the page itself says when a phase opens and closes, and in
// a .word which of these it was when the page was made. Whoever asks for less motion sees minutes,
// not seconds.
(function () {
  "use strict";

  var still = window.matchMedia && window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  var MINUTE = 60000;

  function two(number) { return (number < 10 ? "0" : "") + number; }

  function left(milliseconds) {
    var seconds = Math.ceil(milliseconds / 1000);
    if (still) { seconds = Math.ceil(seconds / 60) * 60; }
    var days = Math.floor(seconds / 86400);
    var hours = Math.floor(seconds % 86400 / 3600);
    var minutes = Math.floor(seconds % 3600 / 60);
    var clock = two(hours) + ":" + two(minutes) + (still ? " h" : ":" + two(seconds % 60));
    return (days ? days + (days === 1 ? " day " : " days ") : "") + clock;
  }

  var phases = Array.prototype.map.call(document.querySelectorAll("[data-opens]"), function (row) {
    var state = row.querySelector(".state");
    var word = row.querySelector(".word") || document.createElement("b");
    var timer = document.createElement("span");
    timer.setAttribute("role", "timer");
    timer.setAttribute("aria-live", "off");
    if (state) {
      state.appendChild(word);
      state.appendChild(timer);
    }
    return {
      row: row,
      word: word,
      timer: timer,
      opens: Date.parse(row.getAttribute("data-opens")),
      closes: Date.parse(row.getAttribute("data-closes"))
    };
  });

  function show() {
    var now = Date.now();
    phases.forEach(function (phase) {
      var state = now < phase.opens ? "to come" : now < phase.closes ? "open" : "closed";
      phase.row.setAttribute("data-state", state);
      phase.word.textContent = state;
      phase.timer.textContent =
        state === "open" ? ", closes in " + left(phase.closes - now)
        : state === "to come" ? ", opens in " + left(phase.opens - now)
        : "";
    });
    window.setTimeout(show, still ? MINUTE - now % MINUTE : 1000 - now % 1000);
  }

  show();
})();
