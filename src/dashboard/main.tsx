import './styles/tokens.css'
import './styles/base.css'
import { browserOf } from './browser.ts'
import { startDashboard } from './start-dashboard.tsx'
import { keepTranslatedTexts } from './translated-texts.ts'

const element = document.getElementById('dashboard') ?? document.body
startDashboard(browserOf(window), element)
keepTranslatedTexts(element)
