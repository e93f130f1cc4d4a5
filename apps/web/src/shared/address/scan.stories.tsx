import type { Meta, StoryObj } from '@storybook/react-vite'
import { addressOf } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import ScanDialog from './ScanDialog.tsx'

const nothing = () => {}

/** Fakes a camera that shows an empty room or fails, and the codes read from it. */
function setUp({ refusal, code }: { refusal?: string; code?: string } = {}) {
  return () => {
    const before = {
      getUserMedia: navigator.mediaDevices.getUserMedia,
      BarcodeDetector: window.BarcodeDetector,
    }
    navigator.mediaDevices.getUserMedia = async () => {
      if (refusal) throw new DOMException('', refusal)
      const room = document.createElement('canvas')
      const paint = room.getContext('2d')
      if (paint) {
        paint.fillStyle = '#5b6470'
        paint.fillRect(0, 0, room.width, room.height)
      }
      return room.captureStream()
    }
    Object.assign(window, {
      BarcodeDetector: class {
        static async getSupportedFormats() {
          return ['qr_code']
        }
        detect = async () => (code ? [{ rawValue: code }] : [])
      },
    })
    return () => {
      navigator.mediaDevices.getUserMedia = before.getUserMedia
      Object.assign(window, { BarcodeDetector: before.BarcodeDetector })
    }
  }
}

const meta = {
  title: 'Web/QR scanner',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: <ScanDialog onClose={nothing} onText={nothing} /> },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

export const Looking: Story = { beforeEach: setUp() }
export const CodeWithoutAddress: Story = {
  beforeEach: setUp({ code: `wc:${addressOf(1).slice(2)}@2?relay-protocol=irn&symKey=${addressOf(2).slice(2)}` }),
}
export const Refused: Story = { beforeEach: setUp({ refusal: 'NotAllowedError' }) }
export const NoCamera: Story = { beforeEach: setUp({ refusal: 'NotFoundError' }) }
export const CameraInUse: Story = { beforeEach: setUp({ refusal: 'NotReadableError' }) }
export const Phone: Story = { beforeEach: setUp(), globals: { viewport: { value: 'phone' } } }
