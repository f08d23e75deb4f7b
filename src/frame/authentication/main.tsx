import '../appearance/theme.css'
import '../appearance/frame.css'
import '../appearance/layout.css'
import '../appearance/named-themes.css'
import '../appearance/more-contrast.css'
import '../appearance/mark.css'
import './authentication.css'
import { AuthenticationSetup } from '../../contract/page/authentication-setup.ts'
import { browserOf } from '../browser.ts'
import { setupIn } from '../setup-element.ts'
import { startAuthentication } from './start-authentication.tsx'

const setup = setupIn(document, AuthenticationSetup)
if (setup !== null) startAuthentication({ ...browserOf(window), setup })
