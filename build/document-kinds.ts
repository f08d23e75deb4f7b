import type { DocumentKind } from './frame-document.ts'
import { checkoutLanguageFiles, languageFiles } from './language-files.ts'
import { checkoutPrerenderer, framePrerenderer } from './prerender.ts'

/** The card form. */
export const FRAME: DocumentKind = {
  name: 'frame',
  languages: 'languages',
  languageFiles,
  prerenderer: framePrerenderer,
}

/** The whole checkout. */
export const CHECKOUT: DocumentKind = {
  name: 'checkout',
  languages: 'languages/checkout',
  languageFiles: checkoutLanguageFiles,
  prerenderer: checkoutPrerenderer,
}
