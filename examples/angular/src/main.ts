import { bootstrapApplication } from '@angular/platform-browser'
import { Pay } from './pay'

void bootstrapApplication(Pay)
