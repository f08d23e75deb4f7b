import type { DocumentKind } from './frame-document.ts'
import { authenticationLanguageFiles, checkoutLanguageFiles, languageFiles } from './language-files.ts'
import { authenticationPrerenderer, checkoutPrerenderer, framePrerenderer } from './prerender.ts'

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

/** The step of a card holder's bank. */
export const AUTHENTICATION: DocumentKind = {
  name: 'authentication',
  languages: 'languages/authentication',
  languageFiles: authenticationLanguageFiles,
  prerenderer: authenticationPrerenderer,
}
