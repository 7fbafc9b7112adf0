// These tests read one compilation of the sources and the guides. It takes seconds, and test files
// of their own would each make it again.
import "./api-report.ts";
import "./compiled-docs.ts";
import "./exported-types.ts";
import "./reference.ts";
