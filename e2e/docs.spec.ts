import { expect, test } from '@playwright/test'
import * as v from 'valibot'
