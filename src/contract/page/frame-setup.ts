import * as v from 'valibot'
import { ANSWERED_ERROR_CODES } from './form-error-code.ts'
import { LANGUAGES } from './widget-appearance.ts'

/** The form's texts in one language, by name. */
export const LanguageWords = v.record(v.string(), v.string())

/** The language whose texts are embedded in the document, which saves a second request. */
export const DocumentLanguage = v.object({ code: v.picklist(LANGUAGES), words: LanguageWords })

/** The day by the service's clock, UTC, as a device's may be wrong. Not the time, so that a cached document stays good for a day. */
export const ServiceDay = v.pipe(v.string(), v.isoDate())

/**
 * Set-up that the service embeds in the frame document for the public key and gateway in its URL: where to tokenise, or why
 * that is not possible (contract §1, "Frame document").
 */
export const FrameSetup = v.union([
  v.object({
    ready: v.literal(true),
    public_key: v.string(),
    gateway_id: v.string(),
    gateway_type: v.string(),
    tokens_url: v.string(),
    /** Base address of the other languages' texts: `{languages_url}{code}.json`. */
    languages_url: v.string(),
    today: ServiceDay,
    language: DocumentLanguage,
  }),
  v.object({
    ready: v.literal(false),
    language: DocumentLanguage,
    error: v.object({
      code: v.fallback(v.picklist(ANSWERED_ERROR_CODES), 'system_error'),
      message: v.string(),
    }),
  }),
])
export type FrameSetup = v.InferOutput<typeof FrameSetup>

type WithoutLanguage<Setup> = Setup extends unknown ? Omit<Setup, 'language'> : never

/** The part of a set-up that depends on key and gateway. The document adds the language. */
export type KeySetup = WithoutLanguage<FrameSetup>

/** Id of the element in the frame document that holds the set-up as JSON. */
export const SETUP_ELEMENT_ID = 'svc-setup'
