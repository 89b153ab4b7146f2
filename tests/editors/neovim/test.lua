-- Drives Neovim's own client of the language server, with the configuration of editors/neovim. Written for 0.7 and later.
-- Run by tests/editors/run: nvim --headless -u NONE -S test.lua, with OGC_NEOVIM naming the folder of the configuration.

local LIMIT_MS = 10000

vim.opt.runtimepath:append(vim.env.OGC_NEOVIM)
vim.opt.swapfile = false
vim.o.hidden = true
vim.cmd("filetype plugin on")
vim.cmd("runtime! ftdetect/ogc.vim")
vim.cmd("runtime! plugin/ogc.lua")

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
vim.fn.writefile({}, folder .. "/ogc.toml")

--- Waits until `ask` returns something; fails with `what` otherwise.
local function eventually(what, ask)
  local found
  vim.wait(LIMIT_MS, function()
    found = ask()
    return found ~= nil and found ~= false
  end, 10)
  assert(found, "it did not come about: " .. what)
  return found
end

local function equal(found, expected)
  assert(vim.deep_equal(found, expected), vim.inspect(found) .. " is not " .. vim.inspect(expected))
end

local function clients()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()
end

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

--- Writes a file and opens it in a window; `$0` is the cursor.
local function open(name, text)
  local before = text:match("^(.-)%$0")
  local path = folder .. "/" .. name
  vim.fn.writefile(vim.split((text:gsub("%$0", "")), "\n", { plain = true }), path)
  vim.cmd("edit! " .. path)
  local row = select(2, (before or ""):gsub("\n", "\n"))
  vim.api.nvim_win_set_cursor(0, { row + 1, #((before or ""):match("[^\n]*$")) })
  local buffer = vim.api.nvim_get_current_buf()
  eventually("the server is attached to " .. name, function()
    for _, client in pairs(clients()) do
      if vim.lsp.buf_is_attached(buffer, client.id) and client.initialized ~= false then
        return client
      end
    end
  end)
  return buffer
end

local tests = {}

tests["a mistake is found, and goes when it is mended"] = function()
  local buffer = open("mistake.ogc", "output Answer = Nothing")
  local found = eventually("a diagnostic", function()
    return vim.diagnostic.get(buffer)[1]
  end)
  equal({ found.lnum, found.col, found.severity }, { 0, 16, vim.diagnostic.severity.ERROR })
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { "output Answer = int" })
  eventually("no diagnostic", function()
    return #vim.diagnostic.get(buffer) == 0
  end)
end

tests["hover shows the documentation"] = function()
  open("hover.ogc", "/// A person in the text.\ntype Person = { name: string }\noutput Answer = Per$0son")
  vim.lsp.buf.hover()
  local window = eventually("a floating window", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        return window
      end
    end
  end)
  local shown = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  vim.api.nvim_win_close(window, true)
  assert(table.concat(shown, "\n"):find("A person in the text.", 1, true), vim.inspect(shown))
end

tests["definition leads into another file"] = function()
  open("parts.ogc", "type Other = int\ntype Part = int")
  open("whole.ogc", 'import "parts.ogc" as parts\noutput Answer = parts.Pa$0rt')
  vim.lsp.buf.definition()
  eventually("the cursor is there", function()
    local cursor = vim.api.nvim_win_get_cursor(0)
    return vim.api.nvim_buf_get_name(0):match("parts%.ogc$") and vim.deep_equal(cursor, { 2, 5 })
  end)
end

tests["rename changes all files"] = function()
  local other = open("user.ogc", 'import "renamed.ogc" as r\noutput Answer = r.Person')
  local buffer = open("renamed.ogc", "type Per$0son = int\ntype Pair = Person[2]")
  vim.lsp.buf.rename("Human")
  eventually("both files are changed", function()
    return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)[2] == "type Pair = Human[2]"
      and vim.api.nvim_buf_get_lines(other, 0, -1, false)[2] == "output Answer = r.Human"
  end)
end

tests["a document is formatted"] = function()
  open("layout.ogc", "type   A={a:int}\noutput B=A[1 ..3]")
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = LIMIT_MS })
  else
    vim.lsp.buf.formatting_sync(nil, LIMIT_MS)
  end
  equal(lines(), { "type A = { a: int }", "output B = A[1..3]" })
end

tests["completion is offered"] = function()
  open("complete.ogc", "type Person = int\noutput Answer = Per$0")
  vim.api.nvim_win_set_cursor(0, { 2, 19 })
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  local labels = eventually("Person", function()
    local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, LIMIT_MS) or {}
    local _, answer = next(answers)
    local result = answer and answer.result or {}
    return vim.tbl_filter(function(item)
      return item.label == "Person"
    end, result.items or result)[1]
  end)
  equal(labels.label, "Person")
end

tests["samples are shown by a command"] = function()
  open("sample.ogc", "output Ans$0wer = 7")
  vim.cmd("OgcSample 1")
  local window = eventually("a floating window", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        return window
      end
    end
  end)
  equal(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, false), { "7" })
  vim.api.nvim_win_close(window, true)
end

local failed = 0
local names = vim.tbl_keys(tests)
table.sort(names)
for _, name in ipairs(names) do
  local begun = vim.loop.now()
  local ok, message = xpcall(tests[name], debug.traceback)
  vim.loop.update_time()
  failed = failed + (ok and 0 or 1)
  io.stdout:write(("%s %s (%d ms)\n"):format(ok and "ok" or "FAILED", name, vim.loop.now() - begun))
  if not ok then
    io.stdout:write(message .. "\n")
  end
end
io.stdout:write(("%d tests, %d failed\n"):format(#names, failed))
local leftover = clients()
vim.lsp.stop_client(leftover)
vim.wait(2000, function()
  return #clients() == 0
end, 10)
vim.fn.delete(folder, "rf")
vim.cmd(failed == 0 and "qall!" or "cquit 1")
