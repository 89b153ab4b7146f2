-- The configuration of the server for `vim.lsp.enable("ogc")` (Neovim 0.11 and later).
return require("ogc").config
