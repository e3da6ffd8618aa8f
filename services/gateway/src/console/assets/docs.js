/** Where there is little room, the contents begin closed. */
const contents = document.querySelector(".contents details");
if (contents instanceof HTMLDetailsElement) contents.open = matchMedia("(min-width: 64rem)").matches;
