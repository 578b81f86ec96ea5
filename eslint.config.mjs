// HTML alone: Biome lints CSS and JavaScript, but reads no Jinja. What is left out is the formatter's business.
import html from "./.venv/markup/node_modules/@html-eslint/eslint-plugin/lib/index.js";

export default [
  { ignores: [".venv/", "build/"] },
  {
    files: ["**/*.html"],
    plugins: { html },
    language: "html/html",
    languageOptions: { templateEngineSyntax: { "{{": "}}", "{%": "%}" } },
    rules: {
      "html/no-duplicate-attrs": "error",
      "html/no-duplicate-id": "error",
      "html/no-duplicate-in-head": "error",
      "html/no-ineffective-attrs": "error",
      "html/no-redundant-role": "error",
      "html/require-meta-charset": "error",
      "html/require-details-summary": "error",
      "html/no-duplicate-class": "error",
      "html/no-obsolete-tags": "error",
      "html/no-obsolete-attrs": "error",
      "html/no-invalid-role": "error",
      "html/no-invalid-entity": "error",
      "html/no-positive-tabindex": "error",
      "html/no-aria-hidden-body": "error",
      "html/no-nested-interactive": "error",
      "html/no-script-style-type": "error",
      "html/no-target-blank": "error",
      "html/no-accesskey-attrs": "error",
      "html/no-heading-inside-button": "error",
      "html/no-abstract-roles": "error",
      "html/no-invalid-attr-value": "error",
      "html/no-multiple-h1": "error",
      "html/require-doctype": "error",
      "html/require-lang": "error",
      "html/require-title": "error",
      "html/require-img-alt": "error",
      "html/require-frame-title": "error",
    },
  },
  {
    // Two macros, of which a page uses one.
    files: ["web/templates/bar.html"],
    rules: { "html/no-multiple-h1": "off" },
  },
];
