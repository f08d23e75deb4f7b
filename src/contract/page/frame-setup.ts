import * as v from 'valibot'
import { LANGUAGES } from './widget-appearance.ts'

/** The form's texts in one language, by their names. */
export const LanguageWords = v.record(v.string(), v.string())

/** The one language that a document carries, so that it needs no second request to speak. */
export const DocumentLanguage = v.object({ code: v.picklist(LANGUAGES), words: LanguageWords })

/**
 * What the service embeds in the frame document for the public key and gateway that its URL names: where to
 * tokenise, or why it can't be (contract §1, "Frame document").
 */
export const FrameSetup = v.union([
  v.object({
    ready: v.literal(true),
    public_key: v.string(),
    gateway_id: v.string(),
    gateway_type: v.string(),
    tokens_url: v.string(),
    /** Where the texts of another language are: `{languages_url}{code}.json`. */
    languages_url: v.string(),
    language: DocumentLanguage,
  }),
  v.object({
    ready: v.literal(false),
    language: DocumentLanguage,
    error: v.object({ code: v.string(), message: v.string() }),
  }),
])
export type FrameSetup = v.InferOutput<typeof FrameSetup>

type WithoutLanguage<Setup> = Setup extends unknown ? Omit<Setup, 'language'> : never

/** The part of a set-up that a key and a gateway decide; the document it is put into brings the language. */
export type KeySetup = WithoutLanguage<FrameSetup>

/** The element of the frame document that holds the set-up, as JSON. */
export const SETUP_ELEMENT_ID = 'svc-setup'
