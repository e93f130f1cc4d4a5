import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import QRCode from 'qrcode'
import { findBrowser } from '../lib/browser.ts'
import { expect, test, visit } from './product.ts'
import { stackUrl } from './stack.ts'

const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const folder = mkdtempSync(join(tmpdir(), 'lineage-scan-'))
const clip = join(folder, 'clip.y4m')
const browser = await findBrowser()
const fakeCamera = '--use-fake-device-for-media-stream'
// A browser without a user interface cannot ask for permission.
const args = [...browser.args, '--use-fake-ui-for-media-stream']

// The camera of this browser shows a video file.
test.use({ launchOptions: { ...browser, args: [...args, fakeCamera, `--use-file-for-fake-video-capture=${clip}`] } })
test.beforeEach(({ page }) => prepare(page))
test.afterAll(() => rmSync(folder, { recursive: true }))

/** Lets the test see and refuse the camera. The page reads codes with its own reader: Chromium on desktops has none. */
async function prepare(page: Page) {
  await page.addInitScript(() => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    const streams: MediaStream[] = []
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      if (sessionStorage.getItem('refused')) throw new DOMException('Permission denied', 'NotAllowedError')
      const stream = await ask(constraints)
      streams.push(stream)
      return stream
    }
    Object.assign(window, {
      camera: () => streams.flatMap((stream) => stream.getTracks()).map(({ readyState }) => readyState),
    })
  })
}

/** Writes a video of one QR code on white, as raw frames: https://wiki.multimedia.cx/index.php/YUV4MPEG2 */
function show(text: string) {
  const { modules } = QRCode.create(text)
  const [size, scale, edge] = [320, 6, 24]
  const from = Math.floor((size - modules.size * scale) / 2)
  if (from < edge) throw new Error('The QR code does not fit into the picture.')
  const light = Buffer.alloc(size * size, 235)
  for (let y = 0; y < modules.size * scale; y++)
    for (let x = 0; x < modules.size * scale; x++)
      if (modules.get(Math.floor(y / scale), Math.floor(x / scale))) light[(from + y) * size + from + x] = 16
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((size * size) / 2, 128)])
  writeFileSync(
    clip,
    Buffer.concat([Buffer.from(`YUV4MPEG2 W${size} H${size} F10:1 Ip A1:1 C420jpeg\n`), frame, frame, frame]),
  )
}

async function openScan(page: Page) {
  await visit(page, `${stackUrl}/search`)
  await page.getByRole('button', { name: '扫描二维码' }).click()
  return page.getByRole('dialog', { name: '扫描地址二维码' })
}
const camera = (page: Page) => page.evaluate(() => (window as unknown as { camera: () => string[] }).camera())

test('behavior: a code without an address shows a message; one with an address is looked up, and the camera stops', async ({
  page,
}) => {
  show('https://example.org/menu')
  const dialog = await openScan(page)
  await expect(dialog.getByRole('status')).toContainText('这个二维码里没有地址：https://example.org/menu')
  expect(await camera(page)).toEqual(['live'])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await camera(page)).toEqual(['ended'])

  show(`ethereum:${known}@56`)
  await page.getByRole('button', { name: '扫描二维码' }).click()
  await expect(page).toHaveURL(new RegExp(`address=${known}`))
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText('示例社区的成员')
  expect(await camera(page)).toEqual(['ended', 'ended'])
})

test('behavior: a camera without permission shows a message and a button to try again', async ({ page }) => {
  show(known)
  await page.addInitScript(() => sessionStorage.setItem('refused', 'yes'))
  const dialog = await openScan(page)
  await expect(dialog.getByRole('status')).toContainText('没有使用摄像头的权限')
  await page.evaluate(() => sessionStorage.removeItem('refused'))
  await dialog.getByRole('button', { name: '重试' }).click()
  await expect(page).toHaveURL(new RegExp(`address=${known}`))
})

test('behavior: shows a message without a camera', async () => {
  const other = await chromium.launch({ ...browser, args: [...args, `${fakeCamera}=device-count=0`] })
  const page = await other.newPage({ locale: 'zh-CN' })
  await prepare(page)
  // A browser that reads codes by itself offers the scanner without looking for a camera.
  await page.addInitScript(() =>
    Object.assign(window, {
      BarcodeDetector: { getSupportedFormats: async () => ['qr_code'] },
    }),
  )
  const dialog = await openScan(page)
  await expect(dialog.getByRole('status')).toContainText('没有找到摄像头')
  await other.close()
})
