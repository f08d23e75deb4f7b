import { installDependencies } from './dependencies.mjs'
import { run, tool } from './run.mjs'

/** Builds what is measured, then measures it: everything, or the parts that are named. */
await installDependencies()
await run(process.execPath, ['scripts/build.mjs'])
await run(tool('vite'), ['build', '--mode', 'bench', '--logLevel', 'warn'])
await run(process.execPath, ['dist/bench/bench.js', ...process.argv.slice(2)])
