// The search reads a hyphen in front of a word as "without this word", so that it found nothing for the name of a flag, `--vocab`.
// These hyphens are removed on the way to the worker of the search.
"use strict";
{
  /** The type of a message with a query, as the theme numbers its messages. */
  const QUERY = 2;
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const isQuery = message?.type === QUERY && typeof message.data === "string";
    send.call(this, isQuery ? { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") } : message, ...rest);
  };
}
