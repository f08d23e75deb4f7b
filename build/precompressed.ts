import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Puts a `.br` beside each built file, so that the service sends it compressed without compressing it. */
export function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After Vite has written the document.
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source)
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source })
        }
      },
    },
  }
}
