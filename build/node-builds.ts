import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { mergeConfig } from 'vite'
import type { Plugin, UserConfig } from 'vite'
import { browserScripts } from './browser-scripts.ts'
import { markdownPages } from './markdown-pages.ts'

/** Lets this file of the build be called as a program by its name alone, as `bin` of package.json and images do. */
const callable = (file: string): Plugin => ({
  name: 'callable',
  writeBundle: ({ dir = '.' }) => chmodSync(join(dir, file), 0o755),
})

/** The programs that run in Node, by mode. `define`: names in the code, and what replaces them. */
export function nodeBuilds(define: Record<string, string>): Record<string, UserConfig> {
  const nodeBuild = (outDir: string, input: Record<string, string>): UserConfig => ({
    define,
    plugins: [markdownPages(), browserScripts()],
    build: { ssr: true, outDir, target: 'node22', rolldownOptions: { input } },
  })
  return {
    service: mergeConfig(
      nodeBuild('dist/service', {
        main: 'src/service/main.ts',
        sandbox: 'src/service/sandbox.ts',
        svc: 'src/service/svc.ts',
      }),
      // The service is bundled with its packages, so that a start reads a few files instead of 600, and nothing else has to be installed.
      // Not bundled are packages that are compiled for a platform, and one that `pg` loads only where it is installed.
      {
        plugins: [callable('svc.js')],
        ssr: { noExternal: true, external: ['@node-rs/argon2', 'pkcs11js', 'pg-native'] },
      },
    ),
    bench: nodeBuild('dist/bench', {
      bench: 'bench/bench.ts',
      'instant-service': 'bench/charges/instant-service.ts',
      'dashboard-service': 'bench/dashboard/dashboard-service.ts',
    }),
    proofs: nodeBuild('dist/proofs', { proofs: 'proofs/proofs.ts' }),
    demo: nodeBuild('dist/demo', { shop: 'demo/main.ts' }),
  }
}
