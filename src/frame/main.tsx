import './appearance/theme.css'
import './appearance/frame.css'
import './appearance/layout.css'
import './appearance/named-themes.css'
import './appearance/more-contrast.css'
import { browserOf } from './browser.ts'
import { readSetup } from './setup-element.ts'
import { startFrame } from './start-frame.tsx'

startFrame({ ...browserOf(window), setup: readSetup(document) })
