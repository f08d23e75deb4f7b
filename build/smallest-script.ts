import * as v from 'valibot'
import { minify } from 'terser'
import type { Plugin } from 'vite'
import { wordLists } from './word-lists.ts'

/** Methods and properties of the SDK's own that no page, document or frame knows by their names. */
const INTERNAL =
  /^(?:abandon|addressOf|callback|change|container|fit|forgetPage|forgetValidity|form|gone|greeting|hear|hearValidity|openSession|pending|present|ready|receive|session|succeed|tellFault|tellForm|tellPage|until|welcome)$/

const Made = v.object({ code: v.string() })

/**
 * The wrapper that the bundler puts around a UMD file, and the one that takes its place: a module of Node's where there is
 * one, and `window.svc` in every page. The bundler's own would hand it to AMD on a page with RequireJS, whose `svc` would
 * then be missing, and to any element whose id is `exports`.
 */
const WRAPPER = /^\(function\(e,t\)\{.*?\}\)\(this,function\(e\)\{/
const SHORT_WRAPPER = '!function(e){e(typeof module=="object"&&module.exports||(self.svc={}))}(function(e){'

/**
 * Makes the script of a merchant's page as small as it gets: by a second minifier, which puts what is used once into its
 * place, 0.2 kB of the 6 that the script may have.
 */
export function smallestScript(): Plugin {
  return {
    name: 'smallest-script',
    enforce: 'post',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        const code = wordLists(file.code, this.parse(file.code)).replace(WRAPPER, SHORT_WRAPPER)
        const made = await minify(code, {
          module: file.fileName.endsWith('.mjs'),
          ecma: 2020,
          mangle: { properties: { regex: INTERNAL, builtins: true } },
          compress: {
            passes: 4,
            hoist_funs: true,
            keep_fargs: false,
            pure_getters: true,
            unsafe_arrows: true,
          },
        })
        file.code = v.parse(Made, made).code
      }
    },
  }
}
