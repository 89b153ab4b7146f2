// The entry of the newcomer's session inside the extension host.
const { runFolder } = require("../host/index.js");

exports.run = () => runFolder(__dirname);
