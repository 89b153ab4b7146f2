--- The language server of ogc in Neovim, and its requests beyond the protocol.
local M = {}

--- The configuration of the server. Change it before the first format is opened.
M.config = {
  name = "ogc",
  cmd = { "ogc", "lsp" },
  filetypes = { "ogc", "gbnf", "ebnf", "abnf", "lark" },
  root_markers = { "ogc.toml", ".git" },
  -- Vocabularies of costs and masks; if empty, ogc.toml says which.
  init_options = { vocabularies = {} },
}

--- Starts the server for every format that is opened.
function M.enable()
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.enable("ogc") -- reads lsp/ogc.lua
    return
  end
  vim.api.nvim_create_autocmd("FileType", {
    pattern = M.config.filetypes,
    callback = function(event)
      M.start(event.buf)
    end,
  })
end

--- Returns the folder above a file that has one of the marks of a root.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  for _, mark in ipairs(M.config.root_markers) do
    local found = vim.fn.findfile(mark, folder .. ";")
    if found == "" then
      found = vim.fn.finddir(mark, folder .. ";")
    end
    if found ~= "" then
      return vim.fn.fnamemodify(found, ":p"):gsub("/$", ""):match("^(.*)/[^/]*$")
    end
  end
  return folder
end

local started = {}

--- Starts the server for a buffer where Neovim has no `vim.lsp.enable`; one server for each root.
function M.start(buffer)
  local config = vim.tbl_extend("force", {}, M.config, { root_dir = root_of(vim.api.nvim_buf_get_name(buffer)) })
  if vim.lsp.start then
    vim.api.nvim_buf_call(buffer, function()
      vim.lsp.start(config)
    end)
    return
  end
  -- Neovim 0.7.
  local id = started[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    started[config.root_dir] = id
  end
  vim.lsp.buf_attach_client(buffer, id)
end

--- Returns the units in which the server of a buffer counts columns.
local function encoding_of(buffer)
  local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
  for _, client in pairs(clients()) do
    if client.name == "ogc" and vim.lsp.buf_is_attached(buffer, client.id) then
      return client.offset_encoding
    end
  end
  return "utf-16"
end

--- Asks the server about the definition around the cursor, and hands the result to `show`.
function M.ask(method, params, show)
  local buffer = vim.api.nvim_get_current_buf()
  local document = { uri = vim.uri_from_bufnr(buffer) }
  local position = vim.lsp.util.make_position_params(0, encoding_of(buffer)).position
  local function request(name, about, done)
    vim.lsp.buf_request(buffer, name, about, function(failure, result)
      if failure then
        vim.notify("ogc: " .. failure.message, vim.log.levels.ERROR)
      else
        done(result)
      end
    end)
  end
  request("ogc/definitionAt", { textDocument = document, position = position }, function(at)
    local definition = type(at) == "table" and type(at.name) == "string" and at.name or nil
    request(method, vim.tbl_extend("force", { textDocument = document, definition = definition }, params), show)
  end)
end

--- Shows lines in a window of their own.
local function preview(lines)
  local split = {}
  for _, text in ipairs(lines) do
    vim.list_extend(split, vim.split(text, "\n", { plain = true }))
  end
  vim.lsp.util.open_floating_preview(split, "", { border = "rounded", focus_id = "ogc" })
end

--- Shows samples of the definition around the cursor.
function M.sample(count)
  M.ask("ogc/sample", { count = count or 3 }, function(result)
    preview(result.samples)
  end)
end

--- Tries a text against the definition around the cursor.
function M.try(text)
  M.ask("ogc/match", { text = text }, function(result)
    if result.accepted then
      preview({ "accepted" })
      return
    end
    local said = { ("refused after %d characters"):format(result.prefix), "expected there: " .. result.expected }
    for _, key in ipairs({ "reason", "help" }) do
      if type(result[key]) == "string" then
        table.insert(said, result[key])
      end
    end
    preview(said)
  end)
end

--- Adds the commands :OgcSample and :OgcTry.
function M.commands()
  vim.api.nvim_create_user_command("OgcSample", function(command)
    M.sample(tonumber(command.args))
  end, { nargs = "?", desc = "Show samples of the definition around the cursor" })
  vim.api.nvim_create_user_command("OgcTry", function(command)
    M.try(command.args)
  end, { nargs = "?", desc = "Try a text against the definition around the cursor" })
end

return M
