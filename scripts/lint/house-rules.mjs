/**
 * Rules that are this repository's own, as a plugin of oxlint. Each names what it forbids by selectors
 * (https://eslint.org/docs/latest/extend/selectors); `.oxlintrc.json` says where it holds.
 */
function forbid(message, ...selectors) {
  return {
    create(context) {
      const report = (node) => context.report({ node, message })
      return Object.fromEntries(selectors.map((selector) => [selector, report]))
    },
  }
}

export default {
  meta: { name: 'house' },
  rules: {
    'no-default-export': forbid(
      'Export by name: a reader finds a thing by the name it has everywhere.',
      'ExportDefaultDeclaration',
    ),
    'no-environment': forbid(
      'Settings are read in one file, service/config.ts (the demo: demo/shop-config.ts); what other programs get of the environment is decided in platform/environment.ts.',
      "MemberExpression[object.name='process'][property.name='env']",
    ),
    /** Code that reads the machine's clock, which an operator or NTP may set at any moment. */
    'no-machine-date': forbid(
      'Durations by a MonotonicClock, dates by the database: src/service/platform/clocks.ts.',
      "CallExpression[callee.object.name='Date'][callee.property.name='now']",
      "MemberExpression[object.name='Date'][property.name='now']:not(CallExpression > .callee)",
      "NewExpression[callee.name='Date'][arguments.length=0]",
      "CallExpression[callee.name='Date']",
    ),
    'no-post-message': forbid(
      'One place per side speaks over the channel.',
      "CallExpression[callee.property.name='postMessage']",
    ),
    'no-void-without-call': forbid(
      '`void` says that what a call returns is not used: here is no call.',
      "UnaryExpression[operator='void'] > :not(CallExpression, ChainExpression, AssignmentExpression, Identifier)",
    ),
  },
}
