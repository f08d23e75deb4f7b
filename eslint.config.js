import js from '@eslint/js'
import tseslint from 'typescript-eslint'

const only = (names, message) => names.map((name) => ({ name, message }))

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: a reader finds a thing by the name it has everywhere.',
}
const noEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'The environment is read in one file: service/config.ts (the demo: demo/shop-config.ts).',
}
const noPostMessage = {
  selector: "CallExpression[callee.property.name='postMessage']",
  message: 'One place per side speaks over the channel.',
}

/** Whatever reads the date of the machine it runs on, which an operator or NTP may set at any moment. */
const noMachineDate = [
  "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  "MemberExpression[object.name='Date'][property.name='now']:not(CallExpression > .callee)",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.name='Date']",
].map((selector) => ({
  selector,
  message: 'Durations by a MonotonicClock, dates by the database: src/service/platform/clocks.ts.',
}))

export default tseslint.config(
  { ignores: ['dist', 'releases', 'node_modules', 'e2e/results', '.data'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 200, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 60 }],
      complexity: ['error', 12],
      'no-console': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, noEnvironment, noPostMessage],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/method-signature-style': ['error', 'property'],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/service/platform/database/program.ts', '**/*.test.ts', 'src/**/testing/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: ['node:child_process', 'child_process'].map((name) => ({
            name,
            message:
              'Programs are started by service/platform/database/program.ts, without our settings and secrets.',
            allowTypeImports: true,
          })),
        },
      ],
    },
  },
  {
    files: ['src/sdk/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...only(['process', 'localStorage', 'sessionStorage'], 'Not in a browser room.'),
        ...only(['fetch', 'XMLHttpRequest'], "The merchant's page sends no request of ours."),
      ],
    },
  },
  {
    files: ['src/frame/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...only(['process', 'localStorage', 'sessionStorage'], 'Not in a browser room.'),
        ...only(
          ['fetch', 'XMLHttpRequest'],
          'The frame sends its card by tokenise.ts and fetches its languages in one place; both are given fetch.',
        ),
      ],
    },
  },
  {
    files: ['src/dashboard/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...only(['process'], 'Not in a browser room.'),
        ...only(
          ['localStorage', 'sessionStorage', 'indexedDB'],
          'Nothing of a merchant stays in the browser.',
        ),
        ...only(['fetch', 'XMLHttpRequest'], 'Requests are sent by api/api.ts, which is given fetch.'),
      ],
    },
  },
  {
    files: ['src/service/**'],
    rules: {
      'no-restricted-syntax': ['error', noDefaultExport, noEnvironment, noPostMessage, ...noMachineDate],
    },
  },
  { files: ['src/frame/main.tsx'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: [
      'src/sdk/frame/frame-channel.ts',
      'src/frame/page-channel.ts',
      'src/service/config.ts',
      'demo/shop-config.ts',
      'e2e/**',
      'bench/**',
      'proofs/**',
      'attack/**',
      '**/*.test.ts',
      '**/*.test.tsx',
      'src/*/testing/**',
      '*.config.ts',
      'build/**',
    ],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport] },
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', 'e2e/**', 'bench/**', 'proofs/**', 'attack/**'],
    rules: { 'max-lines-per-function': 'off', 'no-console': 'off' },
  },
  // Tools that take their settings and set-up by default export only.
  { files: ['*.config.ts', 'e2e/world/start-world.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['scripts/**', 'build/**/*.js', '*.config.js', '.dependency-cruiser.cjs', 'demo/public/**'],
    languageOptions: {
      globals: Object.fromEntries(
        'process console URL fetch setTimeout clearTimeout setInterval AbortSignal window document svc location FormData HTMLElement Intl'
          .split(' ')
          .map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'max-lines': ['error', 200], 'max-lines-per-function': ['error', 60] },
  },
)
