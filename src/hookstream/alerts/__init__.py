"""Alerts: a rule or a question asked on a schedule, its new answers sent to people, each once.

settings   [[alert]] of the TOML file
channels   chat, mail, and every sink of a stream (webhook, syslog, splunk ...)
sent       what was sent, on disk
watch      the schedule
"""
