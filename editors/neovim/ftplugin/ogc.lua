-- How .ogc files are edited: comments, doc comments that go on, two spaces a level.
vim.bo.commentstring = "// %s"
vim.bo.comments = ":///,://"
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.bo.expandtab = true
vim.opt_local.formatoptions:append("ro")
vim.opt_local.matchpairs:append("<:>")
