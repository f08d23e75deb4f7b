import { addCopyButtons } from './copy-buttons.ts'
import { markPlace } from './mark-place.ts'
import { addSearch } from './search-dialog.ts'

/** What the pages of the documentation do beyond being read: they stay readable without it. */
addCopyButtons(document)
markPlace(document)
addSearch(document)
