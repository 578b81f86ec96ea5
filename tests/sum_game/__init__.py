"""Sum to 31: a small complete game, from which `docs/add-a-game.md` takes its examples."""
