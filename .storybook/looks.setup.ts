import * as accessibility from '@storybook/addon-a11y/preview'
import { setProjectAnnotations } from '@storybook/react-vite'
import preview from './preview.ts'

setProjectAnnotations([accessibility, preview])
