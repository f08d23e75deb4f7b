import './theme.css'
import './frame.css'
import './layout.css'
import './named-themes.css'
import { browserOf } from './browser.ts'
import { readSetup } from './setup-element.ts'
import { startFrame } from './start-frame.tsx'

startFrame({ ...browserOf(window), setup: readSetup(document) })
