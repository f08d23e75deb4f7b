/** The card's fields, by the ids of their inputs. */
export type CardField = 'card_name' | 'card_number' | 'expiry' | 'card_ccv'

/** The values of some fields. */
export type Shown = Partial<Record<CardField, string>>

/** An error, by the name of its built-in text (`src/frame/languages/en.json`); '': none. */
export type Fault = string

/**
 * What a person types into a field of an empty form, and the result. Keys that write nothing are given by name (`{Backspace}`,
 * `{Undo}`). `shown` is the field's value, and `fault` the error that is shown when the field is left.
 */
export type KeyProbe = readonly [keys: string, shown: string, fault?: Fault]

/** Keys, then a text that is inserted at once; the values of the fields, and the error of the one with the text. */
export type PasteProbe = readonly [keys: string, text: string, shown: string | Shown, fault?: Fault]

/** A value that a browser or a password manager fills into a field, and what the field then shows. */
export type FillProbe = readonly [field: CardField, value: string, shown: string]

/** Keys from the number on, what number, expiry and code show then, and the number's error. */
export type CardProbe = readonly [keys: string, shown: readonly [string, string, string], fault?: Fault]
