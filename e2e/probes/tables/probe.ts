/** The card's fields, by the ids of their inputs. */
export type CardField = 'card_name' | 'card_number' | 'expiry' | 'card_ccv'

/** What stands in some fields. */
export type Shown = Partial<Record<CardField, string>>

/** The name of a built-in text (`src/frame/languages/en.json`); '': none. */
export type Fault = string

/**
 * What a person does to an empty form, and its result: keys, which name those that write nothing (`{Backspace}`, `{Undo}`),
 * what the field shows, and which fault is shown when it is left.
 */
export type KeyProbe = readonly [keys: string, shown: string, fault?: Fault]

/** Keys, then a text that is put in at once; what the fields show, and the fault of the one that was put into. */
export type PasteProbe = readonly [keys: string, text: string, shown: string | Shown, fault?: Fault]

/** A value that a browser or a password manager gives to a field, and what the field shows. */
export type FillProbe = readonly [field: CardField, value: string, shown: string]
