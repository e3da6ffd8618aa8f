// An agent for version 1 of the agent contract. Uses only Go's standard library.
//
//	go run agent.go          then: http://127.0.0.1:8090, task type WORD_COUNT
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	task         = "WORD_COUNT"
	maxBodyBytes = 1 << 20
)

type object = map[string]any

// refused means that the request is answered with a 4xx status, before any work.
type refused struct {
	status                   int
	code, message, requestID string
}

type run struct {
	requestID string
	text      string
	pause     time.Duration
	timeout   time.Duration
	warnings  []string
}

var sample = object{"text": "the quick brown fox jumps over the lazy dog"}

var card = object{
	"name": "word-count", "version": "1.0.0", "description": "Counts the words of a text.", "contract": "agent/v1",
	"task_types": []object{{
		"task_type": task,
		"inputs": object{
			"type": "object", "required": []string{"text"},
			"properties": object{"text": object{"type": "string"}, "pause_ms": object{"type": "number", "minimum": 0}},
		},
		"outputs":  object{"type": "object", "required": []string{"words", "counts"}},
		"examples": []object{sample},
	}},
}

// countWords is the task. A pause makes the run longer, for testing.
func countWords(ctx context.Context, r run, progress func(object)) (object, error) {
	words := strings.Fields(r.text)
	counts := map[string]int{}
	for i, word := range words {
		counts[word]++
		progress(object{"done": i + 1, "of": len(words)})
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(r.pause):
		}
	}
	return object{"words": len(words), "counts": counts}, nil
}

// accept turns a request into a run, or refuses it. Messages never repeat what was sent.
func accept(contentType string, body []byte) (run, *refused) {
	var request object
	isObject := utf8.Valid(body) && json.Unmarshal(body, &request) == nil && request != nil
	requestID, _ := request["request_id"].(string)
	refuse := func(status int, code, message string) (run, *refused) {
		return run{}, &refused{status, code, message, requestID}
	}
	if media, _, err := mime.ParseMediaType(contentType); err != nil || media != "application/json" {
		return refuse(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json.")
	}
	if !isObject {
		return refuse(400, "INVALID_REQUEST", "The body must be a JSON object.")
	}
	for _, name := range []string{"request_id", "task_type"} {
		if text, ok := request[name].(string); !ok || strings.TrimSpace(text) == "" {
			return refuse(400, "INVALID_REQUEST", name+" must be a string that is not blank.")
		}
	}
	if request["task_type"] != task {
		return refuse(422, "UNSUPPORTED_TASK", "This agent does not know that task type.")
	}
	inputs, ok := request["inputs"].(object)
	if _, present := request["inputs"]; present && !ok {
		return refuse(400, "INVALID_REQUEST", "inputs must be an object.")
	}
	warnings := []string{}
	if mode, given := request["mode"]; len(inputs) == 0 && (!given || mode == "DEMO") {
		inputs, warnings = sample, []string{"There were no inputs: this is the agent's sample."}
	}
	text, isText := inputs["text"].(string)
	pause, isNumber := inputs["pause_ms"].(float64)
	if _, present := inputs["pause_ms"]; !isText || (present && !isNumber) || pause < 0 || pause > 1000 {
		return refuse(400, "INVALID_INPUTS", "inputs do not fit the schema in the card.")
	}
	timeout := time.Hour
	if budgets, ok := request["budgets"].(object); ok {
		if ms, ok := budgets["timeout_ms"].(float64); ok && ms > 0 && ms < 3.6e6 {
			timeout = time.Duration(ms * float64(time.Millisecond))
		}
	}
	return run{requestID, text, time.Duration(pause * float64(time.Millisecond)), timeout, warnings}, nil
}

// execute executes the run. It returns the body of the sync answer, which is also the data of the terminal event.
func execute(ctx context.Context, r run, progress func(object)) object {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	answer := object{"request_id": r.requestID, "task_type": task, "warnings": r.warnings}
	outputs, err := countWords(ctx, r, progress)
	if err == nil {
		answer["status"], answer["ok"], answer["outputs"] = "ok", true, outputs
		return answer
	}
	code, message := "CANCELLED", "The run was cancelled."
	if errors.Is(err, context.DeadlineExceeded) {
		code, message = "DEADLINE_EXCEEDED", "The run was not done at its deadline."
	}
	answer["status"], answer["ok"], answer["outputs"] = "error", false, object{}
	answer["error"] = object{"code": code, "message": message}
	return answer
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, r *refused) {
	send(w, r.status, object{
		"request_id": r.requestID, "ok": false, "status": "error", "outputs": object{}, "warnings": []string{},
		"error": object{"code": r.code, "message": r.message},
	})
}

// accepted reads the request, and passes it on if it is a valid run.
func accepted(handle func(http.ResponseWriter, *http.Request, run)) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPost {
			refuse(w, &refused{405, "METHOD_NOT_ALLOWED", "Use POST.", ""})
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxBodyBytes))
		if err != nil {
			refuse(w, &refused{413, "PAYLOAD_TOO_LARGE", "The body is too large.", ""})
			return
		}
		r, problem := accept(request.Header.Get("Content-Type"), body)
		if problem != nil {
			refuse(w, problem)
			return
		}
		handle(w, request, r)
	}
}

// The request's context is cancelled when the client disconnects, which stops the run.
func sync(w http.ResponseWriter, request *http.Request, r run) {
	send(w, 200, execute(request.Context(), r, func(object) {}))
}

func stream(w http.ResponseWriter, request *http.Request, r run) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	event := func(name string, data object) {
		text, _ := json.Marshal(data)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, text)
		w.(http.Flusher).Flush()
	}
	event("started", object{"request_id": r.requestID, "task_type": task})
	event("final", execute(request.Context(), r, func(data object) { event("progress", data) }))
}

func page(body object) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { send(w, 200, body) }
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	http.HandleFunc("/agents/run/sync", accepted(sync))
	http.HandleFunc("/agents/run/stream", accepted(stream))
	http.HandleFunc("/agents/card", page(card))
	http.HandleFunc("/health", page(object{"status": "ok"}))
	http.HandleFunc("/health/ready", page(object{"status": "ready"}))
	listener, err := net.Listen("tcp", net.JoinHostPort(env("HOST", "127.0.0.1"), env("PORT", "8090")))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	http.Serve(listener, nil)
}
