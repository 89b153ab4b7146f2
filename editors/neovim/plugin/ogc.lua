-- Starts the server for formats, and adds the commands. `vim.g.ogc_no_server = 1` leaves the server to others.
if vim.g.loaded_ogc then
  return
end
vim.g.loaded_ogc = true

local ogc = require("ogc")
if not vim.g.ogc_no_server then
  ogc.enable()
end
ogc.commands()
