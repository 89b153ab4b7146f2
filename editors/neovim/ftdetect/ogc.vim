" Names the languages by the endings of files. Works in every version of Neovim.
autocmd BufNewFile,BufRead *.ogc setfiletype ogc
autocmd BufNewFile,BufRead *.gbnf setfiletype gbnf
autocmd BufNewFile,BufRead *.ebnf set filetype=ebnf
autocmd BufNewFile,BufRead *.abnf set filetype=abnf
autocmd BufNewFile,BufRead *.lark set filetype=lark
