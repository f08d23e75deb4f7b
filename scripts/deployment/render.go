// Renders a chart as `helm template` does, for machines that have Go and its sprig (Debian: golang-go,
// golang-github-masterminds-sprig-dev, golang-k8s-sigs-yaml-dev), and no helm: the same template engine and functions, of Helm's own
// include, toYaml and required. An absent value is an error.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func read(file string) (parsed values, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, &parsed)
	}
	return parsed, err
}

// Lays what is set over the defaults, object by object; null removes.
func lay(over values, defaults values) {
	for name, value := range over {
		inner, isObject := value.(values)
		below, hasBelow := defaults[name].(values)
		switch {
		case value == nil:
			delete(defaults, name)
		case isObject && hasBelow:
			lay(inner, below)
		default:
			defaults[name] = value
		}
	}
}

func parse(folder string) (*template.Template, error) {
	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, scope interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, scope)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["required"] = func(words string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(words)
		}
		return value, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if _, err = all.New(filepath.Base(file)).Funcs(functions).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	return all, err
}

// Capitalises the first letter of each name, as Helm shows Chart.yaml to templates.
func capitalised(fields values) values {
	shown := values{}
	for name, value := range fields {
		shown[strings.ToUpper(name[:1])+name[1:]] = value
	}
	return shown
}

func render(folder string, release string, valuesFiles []string) error {
	chart, err := read(filepath.Join(folder, "Chart.yaml"))
	if err != nil {
		return err
	}
	all, err := read(filepath.Join(folder, "values.yaml"))
	if err != nil {
		return err
	}
	for _, file := range valuesFiles {
		set, err := read(file)
		if err != nil {
			return err
		}
		lay(set, all)
	}
	templates, err := parse(folder)
	if err != nil {
		return err
	}
	scope := values{
		"Values":  all,
		"Chart":   capitalised(chart),
		"Release": values{"Name": release, "Namespace": "default", "Service": "Helm"},
	}
	for _, one := range templates.Templates() {
		if !strings.HasSuffix(one.Name(), ".yaml") && one.Name() != "NOTES.txt" {
			continue
		}
		var text bytes.Buffer
		if err := one.Execute(&text, scope); err != nil {
			return err
		}
		if strings.HasSuffix(one.Name(), ".yaml") && strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", one.Name(), text.String())
		}
	}
	return nil
}

func main() {
	if err := render(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
