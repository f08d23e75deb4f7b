import { mount } from 'svelte'
import Pay from './Pay.svelte'

mount(Pay, { target: document.querySelector('#app') })
