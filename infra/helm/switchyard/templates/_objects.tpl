{{/* Objects that several services have. Each of (dict "root" $ "component" "router" "values" .Values.router). */}}

{{- define "switchyard.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "switchyard.metadata" (dict "root" .root "component" .component "name" (printf "%s-%s" (include "switchyard.fullname" .root) .component)) | nindent 2 }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  # A pod that is not ready serves nobody, and must not keep a node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "switchyard.selectorLabels" . | nindent 6 }}
{{- end -}}

{{- define "switchyard.service" -}}
{{- $service := .values.service -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "switchyard.metadata" (dict "root" .root "component" .component "name" (printf "%s-%s" (include "switchyard.fullname" .root) .component) "annotations" $service.annotations) | nindent 2 }}
spec:
  type: {{ $service.type }}
  {{- with $service.loadBalancerClass }}
  loadBalancerClass: {{ . }}
  {{- end }}
  {{- with $service.loadBalancerSourceRanges }}
  loadBalancerSourceRanges:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $service.externalTrafficPolicy }}
  externalTrafficPolicy: {{ . }}
  {{- end }}
  selector:
    {{- include "switchyard.selectorLabels" . | nindent 4 }}
  ports:
    - name: {{ .portName | default "http" }}
      port: {{ $service.port }}
      targetPort: http
      protocol: TCP
{{- end -}}

{{- define "switchyard.ingress" -}}
{{- $name := printf "%s-%s" (include "switchyard.fullname" .root) .component -}}
{{- $ingress := .values.ingress -}}
{{- $port := .values.service.port -}}
{{- if not $ingress.hosts }}
{{- fail (printf "%s.ingress.hosts is empty: expected the host names under which the %s is to be reached." .component .component) }}
{{- end -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "switchyard.metadata" (dict "root" .root "component" .component "name" $name "annotations" $ingress.annotations) | nindent 2 }}
spec:
  {{- with $ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with $ingress.tls }}
  tls:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    {{- range $ingress.hosts }}
    - host: {{ . | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: {{ $name }}, port: { number: {{ $port }} } } }
    {{- end }}
{{- end -}}

{{- define "switchyard.httpRoute" -}}
{{- $name := printf "%s-%s" (include "switchyard.fullname" .root) .component -}}
{{- $route := .values.httpRoute -}}
{{- if not $route.parentRefs }}
{{- fail (printf "%s.httpRoute.parentRefs is empty: expected the Gateway that the route belongs to, such as [{name: public}]." .component) }}
{{- end -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  {{- include "switchyard.metadata" (dict "root" .root "component" .component "name" $name "annotations" $route.annotations) | nindent 2 }}
spec:
  parentRefs:
    {{- toYaml $route.parentRefs | nindent 4 }}
  {{- with $route.hostnames }}
  hostnames:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    - matches: [{ path: { type: PathPrefix, value: / } }]
      timeouts: { request: {{ $route.timeout }} }
      backendRefs: [{ name: {{ $name }}, port: {{ .values.service.port }} }]
{{- end -}}
