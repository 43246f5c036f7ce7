{{/*
The workload of a service: a Deployment, or a StatefulSet where it has a volume of its own.

  root            the context of the chart
  component       registry, composer, config-distribution, router
  values          its values
  kind            Deployment or StatefulSet
  port            its port
  scheme          HTTP or HTTPS
  env             its variables, as YAML
  volumes         its volumes, as YAML, or ""
  mounts          where they are mounted, as YAML, or ""
  claims          volumeClaimTemplates, as YAML, or ""
  annotations     more annotations of pods
  replicas        false: something else scales it
  grace           seconds between being told to stop and being killed

A job has no port, and besides:

  program         the service whose image it uses
  arguments       of the program in the image, a list
*/}}
{{- define "switchyard.workload" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- $name := printf "%s-%s" (include "switchyard.fullname" $root) .component -}}
apiVersion: apps/v1
kind: {{ .kind }}
metadata:
  {{- include "switchyard.metadata" (dict "root" $root "component" .component "name" $name) | nindent 2 }}
spec:
  {{- if .replicas }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  {{- if eq .kind "Deployment" }}
  # A new pod is ready before an old one is told to stop.
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 25%, maxUnavailable: 0 }
  {{- else }}
  serviceName: {{ $name }}-pods
  podManagementPolicy: Parallel
  persistentVolumeClaimRetentionPolicy: { whenDeleted: Delete, whenScaled: Delete }
  {{- end }}
  selector:
    matchLabels:
      {{- include "switchyard.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "switchyard.labels" . | nindent 8 }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with merge (dict) (.annotations | default dict) $values.podAnnotations $root.Values.commonAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "switchyard.pod" . | nindent 6 }}
  {{- with .claims }}
  volumeClaimTemplates:
    {{- . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "switchyard.pod" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- $scheme := .scheme | default "HTTP" -}}
{{- $image := printf "%s%s:%s" $root.Values.image.prefix (.program | default .component) ($root.Values.image.tag | default $root.Chart.AppVersion) -}}
serviceAccountName: {{ include "switchyard.serviceAccountName" $root }}
automountServiceAccountToken: false
# Variables that Kubernetes makes of Services have names that settings have as well.
enableServiceLinks: false
{{- if not .port }}
restartPolicy: Never
{{- end }}
terminationGracePeriodSeconds: {{ .grace }}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with mergeOverwrite (dict) $root.Values.podSecurityContext $values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.initContainers }}
initContainers:
  {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: {{ .component }}
    image: {{ $values.image | default $image }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    {{- with mergeOverwrite (dict) $root.Values.securityContext $values.securityContext }}
    securityContext:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .arguments }}
    args: {{ toJson . }}
    {{- end }}
    env:
      {{- include "switchyard.commonVariables" . | trim | nindent 6 }}
      {{- .env | trim | nindent 6 }}
    {{- if .port }}
    ports:
      - { name: http, containerPort: {{ .port }} }
      {{- if $root.Values.metrics.enabled }}
      - { name: metrics, containerPort: 9464 }
      {{- end }}
    # Two minutes to start in; after that, whether the process answers at all decides whether it is restarted.
    startupProbe:
      httpGet: { path: /health/live, port: http, scheme: {{ $scheme }} }
      periodSeconds: 2
      timeoutSeconds: 5
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /health/live, port: http, scheme: {{ $scheme }} }
      periodSeconds: 10
      timeoutSeconds: 10
      failureThreshold: 3
    readinessProbe:
      httpGet: { path: /health/ready, port: http, scheme: {{ $scheme }} }
      periodSeconds: 5
      timeoutSeconds: 5
      failureThreshold: 2
    {{- with $values.preStopSeconds }}
    lifecycle:
      preStop: { sleep: { seconds: {{ . }} } }
    {{- end }}
    {{- end }}
    resources:
      {{- toYaml $values.resources | nindent 6 }}
    {{- if or .mounts $values.secretFiles $values.extraVolumeMounts $root.Values.certificateAuthorities.configMap }}
    volumeMounts:
      {{- with .mounts }}
      {{- . | nindent 6 }}
      {{- end }}
      {{- if $values.secretFiles }}
      - { name: files, mountPath: /etc/switchyard/files, readOnly: true }
      {{- end }}
      {{- if $root.Values.certificateAuthorities.configMap }}
      - { name: authorities, mountPath: /etc/switchyard/authorities, readOnly: true }
      {{- end }}
      {{- with $values.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- end }}
  {{- with $values.sidecars }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- if or .volumes $values.secretFiles $values.extraVolumes $root.Values.certificateAuthorities.configMap }}
volumes:
  {{- with .volumes }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with $values.secretFiles }}
  - name: files
    secret:
      secretName: {{ include "switchyard.secretName" $ }}
      defaultMode: 288
      items:
        {{- range . }}
        - { key: {{ . }}, path: {{ . }} }
        {{- end }}
  {{- end }}
  {{- with $root.Values.certificateAuthorities }}
  {{- if .configMap }}
  - name: authorities
    configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: {{ .key }} }] }
  {{- end }}
  {{- end }}
  {{- with $values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{ include "switchyard.placement" . }}
{{- end -}}

{{/* Where pods run. */}}
{{- define "switchyard.placement" -}}
{{- $constraints := .values.topologySpreadConstraints -}}
{{- if .port -}}
topologySpreadConstraints:
  {{- if $constraints }}
  {{- toYaml $constraints | nindent 2 }}
  {{- else }}
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ $key }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "switchyard.selectorLabels" $ | nindent 8 }}
    {{- if eq $.kind "Deployment" }}
    matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- end }}
  {{- end }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
