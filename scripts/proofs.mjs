import { installDependencies } from './dependencies.mjs'
import { run, tool } from './run.mjs'

/** Builds everything and the proofs, then runs the one that is named: `npm run proofs -- crash --rounds 5`. */
await installDependencies()
await run(process.execPath, ['scripts/build.mjs'])
await run(tool('vite'), ['build', '--mode', 'proofs', '--logLevel', 'warn'])
await run(process.execPath, ['dist/proofs/proofs.js', ...process.argv.slice(2)])
