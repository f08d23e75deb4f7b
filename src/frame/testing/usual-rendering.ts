import { options } from 'preact'

/** Runs before each file of tests: the card form changes when Preact renders, for every file that the same worker runs after it. */
Reflect.deleteProperty(options, 'debounceRendering')
