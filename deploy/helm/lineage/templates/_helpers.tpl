{{- define "lineage.name" -}}
{{- if contains "lineage" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-lineage" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "lineage.selector" -}}
app.kubernetes.io/name: lineage
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "lineage.labels" -}}
{{ include "lineage.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- /* Returns whether a part is on. A null takes its defaults away: says what to set instead. */ -}}
{{- define "lineage.isOn" -}}
{{- $name := first . }}
{{- if kindIs "invalid" (last .) }}{{ fail (printf "%s is null: to switch it off, set %s.enabled to false" $name $name) }}{{ end }}
{{- if (last .).enabled }}true{{ end }}
{{- end }}

{{- define "lineage.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "lineage.configMap" -}}
{{ .Values.config.existingConfigMap | default (printf "%s-config" (include "lineage.name" .)) }}
{{- end }}

{{- define "lineage.secret" -}}
{{ .Values.secrets.existingSecret | default (include "lineage.name" .) }}
{{- end }}

{{- define "lineage.databaseUrl" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      {{- if include "lineage.isOn" (list "cloudNativePg" .Values.cloudNativePg) }}
      name: {{ include "lineage.name" . }}-postgres-app
      key: uri
      {{- else }}
      name: {{ include "lineage.secret" . }}
      key: DATABASE_URL
      {{- end }}
{{- end }}

{{- /* Restarts the pods when the configuration, the settings or the secrets of the chart change. */ -}}
{{- define "lineage.podMetadata" -}}
labels:
  {{- include "lineage.labels" . | nindent 2 }}
annotations:
  checksum/config: {{ include (print .root.Template.BasePath "/config.yaml") .root | sha256sum }}
  {{- with .values.podAnnotations }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}

{{- /* What the pods of the reader and of the servers have in common. */ -}}
{{- define "lineage.podSpec" -}}
automountServiceAccountToken: false
# Of a Service named lineage, Kubernetes would make variables such as LINEAGE_SERVICE_HOST, which are no settings.
enableServiceLinks: false
terminationGracePeriodSeconds: 60
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "lineage.selector" . | nindent 8 }}
{{- with .values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: config
    configMap: { name: {{ include "lineage.configMap" .root }} }
  - name: tmp
    emptyDir: {}
  {{- with .root.Values.caConfigMap }}
  - name: authorities
    configMap: { name: {{ . }} }
  {{- end }}
  {{- if and (eq .component "reader") .values.historyClaim }}
  - name: history
    persistentVolumeClaim: { claimName: {{ .values.historyClaim }}, readOnly: true }
  {{- end }}
{{- end }}

{{- define "lineage.container" -}}
image: {{ include "lineage.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
resources: {{- toYaml .values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: config, mountPath: /config, readOnly: true }
  - { name: tmp, mountPath: /tmp }
  {{- if .root.Values.caConfigMap }}
  - { name: authorities, mountPath: /authorities, readOnly: true }
  {{- end }}
  {{- if and (eq .component "reader") .values.historyClaim }}
  - { name: history, mountPath: /history, readOnly: true }
  {{- end }}
{{- end }}
