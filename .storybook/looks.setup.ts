import * as accessibility from '@storybook/addon-a11y/preview'
import { setProjectAnnotations } from '@storybook/react-vite'
import { configure } from 'storybook/test'
import { waitLimit } from '../scripts/vitest/limits.ts'
import preview from './preview.ts'

setProjectAnnotations([accessibility, preview])
configure({ asyncUtilTimeout: waitLimit })
