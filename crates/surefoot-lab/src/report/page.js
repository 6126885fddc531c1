"use strict";
// Points tell what they are when one points at them or touches them. Without this script their titles do, after a while.
(function () {
  var told = document.getElementById("told");
  var near = null;
  function forget() {
    if (near) { near.classList.remove("near"); }
    near = null;
    told.hidden = true;
  }
  function tell(marker) {
    if (marker === near) { return; }
    forget();
    near = marker;
    near.classList.add("near");
    told.textContent = near.dataset.told;
    told.hidden = false;
    var place = near.getBoundingClientRect();
    var wide = document.documentElement.clientWidth;
    var left = Math.max(4, Math.min(place.left + place.width / 2 - told.offsetWidth / 2, wide - told.offsetWidth - 4));
    var above = place.top - told.offsetHeight - 6;
    var top = Math.sign(above) === -1 ? place.bottom + 6 : above;
    told.style.left = left + window.scrollX + "px";
    told.style.top = top + window.scrollY + "px";
  }
  // On a telephone the contents would take the whole first screen.
  if (window.matchMedia("(max-width:640px)").matches) { document.querySelector("nav details").open = false; }
  document.querySelectorAll("svg.plot").forEach(function (plot) {
    var markers = [];
    plot.querySelectorAll(".m").forEach(function (marker) {
      var title = marker.querySelector("title");
      if (!title) { return; }
      marker.dataset.told = title.textContent;
      marker.setAttribute("aria-label", title.textContent);
      marker.removeChild(title);
      markers.push(marker);
    });
    function look(event) {
      var best = null;
      var nearest = event.pointerType === "touch" ? 32 : 14;
      markers.forEach(function (marker) {
        var place = marker.getBoundingClientRect();
        var away = Math.hypot(place.left + place.width / 2 - event.clientX, place.top + place.height / 2 - event.clientY);
        if (nearest > away) { nearest = away; best = marker; }
      });
      if (best) { tell(best); } else { forget(); }
    }
    plot.addEventListener("pointermove", look);
    plot.addEventListener("pointerdown", look);
    plot.addEventListener("pointerleave", function (event) {
      if (event.pointerType !== "touch") { forget(); }
    });
  });
}());
