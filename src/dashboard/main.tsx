import './styles/tokens.css'
import './styles/base.css'
import { browserOf } from './browser.ts'
import { startDashboard } from './start-dashboard.tsx'

startDashboard(browserOf(window), document.getElementById('dashboard') ?? document.body)
