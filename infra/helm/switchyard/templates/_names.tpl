{{/* Names and labels. */}}

{{- define "switchyard.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "switchyard.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (ternary (include "switchyard.fullname" .) "default" .Values.serviceAccount.create) -}}
{{- end -}}

{{/* What selectors select: never changes. Of (dict "root" $ "component" "router"); without a component: every pod. */}}
{{- define "switchyard.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* Labels of an object, of the same. */}}
{{- define "switchyard.labels" -}}
{{ include "switchyard.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Metadata of an object, of (dict "root" $ "component" "router" "name" "switchyard-router" "labels" … "annotations" …). */}}
{{- define "switchyard.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "switchyard.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Files of Secrets are mounted with mode 0440 (288), for the group of the pod. */}}
{{- define "switchyard.secretName" -}}
{{- .values.secret | default (printf "%s-%s" (include "switchyard.fullname" .root) .component) -}}
{{- end -}}

{{- define "switchyard.ramps.secretName" -}}
{{- .Values.configDistribution.ramps.apiKeySecret | default (printf "%s-ramps" (include "switchyard.fullname" .)) -}}
{{- end -}}

{{/* Where config-distribution sends commands about ramps; empty if it moves none. */}}
{{- define "switchyard.ramps.registryUrl" -}}
{{- if and .Values.configDistribution.enabled .Values.configDistribution.ramps.enabled -}}
{{- if .Values.configDistribution.ramps.registryUrl -}}
{{- .Values.configDistribution.ramps.registryUrl -}}
{{- else if .Values.registry.enabled -}}
{{- printf "http://%s-registry:%v" (include "switchyard.fullname" .) .Values.registry.service.port -}}
{{- end -}}
{{- end -}}
{{- end -}}
