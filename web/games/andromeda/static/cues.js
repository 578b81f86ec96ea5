/* What only a table of Andromeda can hear: a centre is won, a foreign station flies home. Notes as in sound.js. */
"use strict";
sound.learn({
  centre: [
    [523, 0, 110],
    [659, 110, 110],
    [784, 220, 170],
  ],
  home: [
    [659, 0, 150],
    [440, 150, 190],
  ],
});
